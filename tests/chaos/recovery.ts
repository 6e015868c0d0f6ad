import { setTimeout as pause } from 'node:timers/promises';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import { findUnheard } from '../simulation/verify.ts';
import type { World } from './chaos-environment.ts';

const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

export type Recovery = {
  /** When every kind of write was acknowledged again. */
  wroteAt: number;
  /** What was as it should be last of all. */
  last: string | undefined;
  /** What is still not as it should be. */
  unrest: string[];
};

/**
 * Waits, with everybody at work, until every kind of write is acknowledged; then, with nobody at work any more, until nothing is under
 * way, every pod is there and every socket has heard everything; or until a minute is over.
 */
export async function recoverOf(world: World): Promise<Recovery> {
  const until = performance.now() + PATIENCE_MS;
  const wrote = await within(until, world.work.writeOfEveryKind());
  const wroteAt = performance.now();
  await within(until, world.work.rest());
  let unrest = wrote ? [] : ['not every kind of write was acknowledged within a minute'];
  let last: string | undefined;
  for (;;) {
    const found = await findAilments(world);
    if (found.length === 0) break;
    last = found[0];
    if (performance.now() > until) {
      unrest = [...unrest, ...found.map((line) => `after a minute: ${line}`)];
      break;
    }
    await pause(LOOK_MS);
  }
  return { wroteAt, last, unrest };
}

async function findAilments({ stores, listeners, ledger, cluster }: World): Promise<string[]> {
  const unrest = await findPendingWork(stores).catch((error: unknown) => [String(error)]);
  const away = EVERY_PROCESS.flatMap((name) => cluster.pods(name)).filter(({ part }) => !part.isReady);
  return [...unrest, ...findUnheard(listeners, ledger), ...away.map(({ part }) => `${part.name} is not there`)];
}

const within = (until: number, done: Promise<void>): Promise<boolean> =>
  Promise.race([done.then(() => true), pause(Math.max(0, until - performance.now()), false)]);
