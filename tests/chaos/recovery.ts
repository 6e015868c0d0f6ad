import { setTimeout as delay } from 'node:timers/promises';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';
import { findUndelivered } from '../simulation/verify.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';

const TIMEOUT_MS = 60_000;
const POLL_MS = 100;

export type Recovery = {
  /** When every kind of write was acknowledged again. */
  writesRecoveredAt: number;
  /** Description of what recovered last. */
  lastRecovered: string | undefined;
  /** Descriptions of what has not recovered. */
  unrecovered: string[];
};

/**
 * With users at work, waits until every kind of write is acknowledged; then, with users paused, until nothing is in
 * flight, every pod is ready, and every socket has received every message. Gives up after a minute.
 */
export async function awaitRecovery(chaos: ChaosEnvironment): Promise<Recovery> {
  const deadline = performance.now() + TIMEOUT_MS;
  const haveWritesRecovered = await finishesBefore(deadline, chaos.work.performEveryWrite());
  const writesRecoveredAt = performance.now();
  await finishesBefore(deadline, chaos.work.pause());
  let unrecovered = haveWritesRecovered ? [] : ['not every kind of write was acknowledged within a minute'];
  let lastRecovered: string | undefined;
  for (;;) {
    const remaining = await findUnrecovered(chaos);
    if (remaining.length === 0) break;
    lastRecovered = remaining[0];
    if (performance.now() > deadline) {
      unrecovered = [...unrecovered, ...remaining.map((line) => `after a minute: ${line}`)];
      break;
    }
    await delay(POLL_MS);
  }
  return { writesRecoveredAt, lastRecovered, unrecovered };
}

async function findUnrecovered({ stores, listeners, writes, cluster }: ChaosEnvironment): Promise<string[]> {
  const unrecovered = await findPendingWork(stores).catch((error: unknown) => [String(error)]);
  const unready = PROCESS_NAMES.flatMap((name) => cluster.pods(name)).filter((pod) => !pod.process.isReady);
  return [
    ...unrecovered,
    ...findUndelivered(listeners, writes),
    ...unready.map((pod) => `${pod.process.name} is not ready`),
  ];
}

const finishesBefore = (deadline: number, promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), delay(Math.max(0, deadline - performance.now()), false)]);
