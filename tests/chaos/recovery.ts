import { setTimeout as pause } from 'node:timers/promises';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import { findUndelivered } from '../simulation/verify.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';

const TIMEOUT_MS = 60_000;
const POLL_MS = 100;

export type Recovery = {
  /** When every kind of write was acknowledged again. */
  writesRecoveredAt: number;
  /** What recovered last. */
  last: string | undefined;
  /** What has not recovered. */
  unrecovered: string[];
};

/**
 * With users at work, waits until every kind of write is acknowledged; then, with users paused, until nothing is in flight, every pod is
 * ready, and every socket has received every message. Gives up after a minute.
 */
export async function awaitRecovery(chaos: ChaosEnvironment): Promise<Recovery> {
  const deadline = performance.now() + TIMEOUT_MS;
  const wrote = await within(deadline, chaos.work.writeOfEveryKind());
  const writesRecoveredAt = performance.now();
  await within(deadline, chaos.work.rest());
  let unrecovered = wrote ? [] : ['not every kind of write was acknowledged within a minute'];
  let last: string | undefined;
  for (;;) {
    const found = await findUnrecovered(chaos);
    if (found.length === 0) break;
    last = found[0];
    if (performance.now() > deadline) {
      unrecovered = [...unrecovered, ...found.map((line) => `after a minute: ${line}`)];
      break;
    }
    await pause(POLL_MS);
  }
  return { writesRecoveredAt, last, unrecovered };
}

async function findUnrecovered({ stores, listeners, writes, cluster }: ChaosEnvironment): Promise<string[]> {
  const unrecovered = await findPendingWork(stores).catch((error: unknown) => [String(error)]);
  const unready = EVERY_PROCESS.flatMap((name) => cluster.pods(name)).filter(({ part }) => !part.isReady);
  return [
    ...unrecovered,
    ...findUndelivered(listeners, writes),
    ...unready.map(({ part }) => `${part.name} is not ready`),
  ];
}

const within = (deadline: number, promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), pause(Math.max(0, deadline - performance.now()), false)]);
