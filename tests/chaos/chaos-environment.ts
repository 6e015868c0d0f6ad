import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, EVERY_PROCESS, startCluster } from '@atrium/test-kit/system/start-cluster';
import type { Box } from '@atrium/test-kit/system/start-system';
import { openBox } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { runDemo } from '@atrium/tools/demo/demo';
import { type Ledger, trackAcknowledgedWrites } from '../simulation/acknowledged-writes.ts';
import { type Listener, openListeners } from '../simulation/listeners.ts';
import { startWork, type Work } from '../simulation/work.ts';
import { ORDINARY, type Place } from './environment.ts';
import { observe } from './observe.ts';

/** Two pods of everything, ten people at work, and who remembers all of it. */
export type World = {
  cluster: Cluster;
  box: Box;
  stores: Stores;
  ledger: Ledger;
  work: Work;
  listeners: readonly Listener[];
  mailboxUrl: string;
  /** What no healthy process writes, since the beginning. */
  complaints(): readonly string[];
  /** Where a file called like a crash point ends one of the pods of a service there. */
  crashFolder(name: string): string;
  stop(): Promise<void>;
};

const PODS = 2;
const LISTENERS = 6;
// So many people and calls come from one address here.
const PLENTY = {
  RATE_LIMIT_PER_USER: '100000',
  MAX_GROUPS_PER_USER_PER_DAY: '0',
  RATE_LIMIT_PER_IP: '100000',
  RATE_LIMIT_SIGN_IN: '100000',
  RATE_LIMIT_REFRESH: '100000',
};
/** The load leaves room for what goes wrong: two cores carry all of it. */
const PACE = { atOnce: 2, pauseMs: [500, 1_500], invites: true } as const;

/** Starts it, at that place. */
export async function startChaosEnvironment(place: Place = ORDINARY): Promise<World> {
  const { prepare } = place;
  const env = { ...PLENTY, ALLOW_PAST_MEETINGS: 'true' };
  const watched = openBox({ env, ...(prepare && { furnish: prepare }) });
  // Other suites let PostgreSQL acknowledge before it has written: here it is killed, too.
  const box = { ...watched.box, durable: true };
  const clear = async () => {
    await place.clear?.();
    await box.guard.close();
    box.ports.release();
  };
  try {
    return await seedFuzzWorkspace({ place, box, complaints: watched.faults, clear });
  } catch (error) {
    // What had started ends with its guard.
    await clear();
    throw error;
  }
}

type Site = { place: Place; box: Box; complaints: () => string[]; clear(): Promise<void> };

async function seedFuzzWorkspace({ place: { lay }, box, complaints, clear }: Site): Promise<World> {
  const cluster = await startCluster({ box, faults: complaints });
  const furnish = await lay?.(cluster);
  const crashFolder = (name: string) => join(box.home, 'crash-points', name);
  const addPod = (name: string, number: number) => {
    const env = furnish?.({ name, number, env: cluster.envOf(name) }) ?? {};
    return cluster.addPod(name, { title: String(number), env: { CRASH_POINTS_DIR: crashFolder(name), ...env } });
  };
  for (const name of EVERY_PROCESS) mkdirSync(crashFolder(name), { recursive: true });
  for (let number = 1; number <= PODS; number += 1)
    await Promise.all(EVERY_PROCESS.map((name) => addPod(name, number)));
  await runDemo({ baseUrl: cluster.url, say: () => undefined });
  const stores = await openStores(cluster, box);
  const ledger = trackAcknowledgedWrites();
  const work = await startWork(cluster.url, ledger, PACE);
  const observer = await observe(cluster.url, ledger);
  const listeners = openListeners(cluster.url, work.site, LISTENERS);
  return {
    cluster,
    box,
    stores,
    ledger,
    work,
    listeners,
    mailboxUrl: cluster.backing.addresses.mailbox?.webUrl ?? '',
    complaints,
    crashFolder,
    async stop() {
      await work.rest();
      observer.close();
      for (const listener of listeners) listener.close();
      await stores.close();
      await cluster.stop();
      await clear();
    },
  };
}
