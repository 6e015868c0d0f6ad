import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, PROCESS_NAMES, startCluster } from '@atrium/test-kit/system/start-cluster';
import type { BaseLauncherContext } from '@atrium/test-kit/system/start-system';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { runDemo } from '@atrium/tools/demo/demo';
import { trackAcknowledgedWrites, type WriteTracker } from '../simulation/acknowledged-writes.ts';
import { type Listener, openListeners } from '../simulation/listeners.ts';
import { startWorkload, type Workload } from '../simulation/workload.ts';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { DEFAULT_ENVIRONMENT, type Environment } from './environment.ts';
import { startObserver } from './observe.ts';

/** Two pods of every service, ten simulated users at work, and a record of every acknowledged write. */
export type ChaosEnvironment = {
  cluster: Cluster;
  context: BaseLauncherContext;
  stores: Stores;
  writes: WriteTracker;
  work: Workload;
  listeners: readonly Listener[];
  mailboxUrl: string;
  /** Error lines that no healthy process writes, since the start. */
  errorLines(): readonly string[];
  /** Returns the folder in which a file named after a crash point kills the next pod of the service that reaches it. */
  crashPointsDir(name: string): string;
  stop(): Promise<void>;
};

const PODS = 2;
const LISTENERS = 6;
const LIMITS = { ...HIGH_LIMITS, MAX_GROUPS_PER_USER_PER_DAY: '0', RATE_LIMIT_REFRESH: '100000' };
/** Leaves CPU headroom for failures, because everything runs on two cores. */
const PACE = { concurrency: 2, pauseMs: [500, 1_500], invites: true } as const;

export async function startChaosEnvironment(environment: Environment = DEFAULT_ENVIRONMENT): Promise<ChaosEnvironment> {
  const { prepareDataDir } = environment;
  const env = { ...LIMITS, ALLOW_PAST_MEETINGS: 'true' };
  const watched = createWatchedContext({ env, ...(prepareDataDir && { prepareDataDir }) });
  // Other suites let PostgreSQL acknowledge before fsync. This one kills it, so writes must be durable.
  const context = { ...watched.context, durable: true };
  const cleanUp = async () => {
    await environment.cleanUp?.();
    await context.reaper.close();
    context.ports.release();
  };
  try {
    return await startInstallation({ environment, context, errorLines: watched.errors, cleanUp });
  } catch (error) {
    // Also ends every process that has started, through the reaper.
    await cleanUp();
    throw error;
  }
}

type InstallationParams = {
  environment: Environment;
  context: BaseLauncherContext;
  errorLines: () => string[];
  cleanUp(): Promise<void>;
};

async function startInstallation({
  environment: { prepareCluster },
  context,
  errorLines,
  cleanUp,
}: InstallationParams): Promise<ChaosEnvironment> {
  const cluster = await startCluster({ context, errors: errorLines });
  const overridesFor = await prepareCluster?.(cluster);
  const crashPointsDir = (name: string) => join(context.home, 'crash-points', name);
  const addPod = (name: string, number: number) => {
    const env = overridesFor?.({ name, number, env: cluster.envOf(name) }) ?? {};
    return cluster.addPod(name, { title: String(number), env: { CRASH_POINTS_DIR: crashPointsDir(name), ...env } });
  };
  for (const name of PROCESS_NAMES) mkdirSync(crashPointsDir(name), { recursive: true });
  for (let number = 1; number <= PODS; number += 1)
    await Promise.all(PROCESS_NAMES.map((name) => addPod(name, number)));
  await runDemo({ baseUrl: cluster.url, print: () => undefined });
  const stores = await openStores(cluster, context);
  const writes = trackAcknowledgedWrites();
  const work = await startWorkload(cluster.url, writes, PACE);
  const observer = await startObserver(cluster.url, writes);
  const listeners = openListeners(cluster.url, work.fixture, LISTENERS);
  return {
    cluster,
    context,
    stores,
    writes,
    work,
    listeners,
    mailboxUrl: cluster.backing.addresses.mailbox?.webUrl ?? '',
    errorLines,
    crashPointsDir,
    async stop() {
      await work.pause();
      observer.close();
      for (const listener of listeners) listener.close();
      await stores.close();
      await cluster.stop();
      await cleanUp();
    },
  };
}
