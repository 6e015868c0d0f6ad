import { setTimeout as pause } from 'node:timers/promises';
import { findUnrest } from '@atrium/test-kit/system/find-unrest';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import { findUnheard } from '../laboratory/verify.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

/**
 * Waits, with everybody at work, until every kind of write is acknowledged; then, with nobody at work any more, until nothing is under
 * way, every pod is there and every socket has heard everything. Answers what is still not so after a minute.
 */
export async function recoverOf(world: World): Promise<{ isWell: boolean; unrest: string[] }> {
  const until = performance.now() + PATIENCE_MS;
  const wrote = await within(until, world.work.writeOfEveryKind());
  await within(until, world.work.rest());
  let unrest = wrote ? [] : ['not every kind of write was acknowledged within a minute'];
  for (;;) {
    const found = await findAilments(world);
    if (found.length === 0) break;
    if (performance.now() > until) {
      unrest = [...unrest, ...found.map((line) => `after a minute: ${line}`)];
      break;
    }
    await pause(LOOK_MS);
  }
  return { isWell: unrest.length === 0, unrest };
}

async function findAilments({ stores, listeners, ledger, cluster }: World): Promise<string[]> {
  const unrest = await findUnrest(stores).catch((error: unknown) => [String(error)]);
  const away = EVERY_PROCESS.flatMap((name) => cluster.pods(name)).filter(({ part }) => !part.isReady);
  return [...unrest, ...findUnheard(listeners, ledger), ...away.map(({ part }) => `${part.name} is not there`)];
}

const within = (until: number, done: Promise<void>): Promise<boolean> =>
  Promise.race([done.then(() => true), pause(Math.max(0, until - performance.now()), false)]);
