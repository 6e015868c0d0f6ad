import { waitFor } from '../wait-for.ts';
import { findPendingWork } from './find-pending-work.ts';
import type { Stores } from './stores.ts';

/**
 * Waits until no work is in progress. Throws after `timeoutMs`, a minute by default; the message describes the work that
 * is still pending.
 */
export async function waitUntilIdle(stores: Stores, { timeoutMs }: { timeoutMs?: number } = {}): Promise<void> {
  let pendingWork: readonly string[] = [];
  const isIdle = async () => {
    pendingWork = await findPendingWork(stores);
    return pendingWork.length === 0;
  };
  await waitFor(isIdle, {
    description: 'the system to be idle',
    intervalMs: 50,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${pendingWork.join('; ')}`, { cause: error.cause });
  });
}

/**
 * Waits until no work is in progress and every email was sent, also those that wait on purpose for up to five minutes: how
 * long depends on how fast earlier ones were sent.
 */
export async function waitUntilAllSent(stores: Stores): Promise<void> {
  await waitUntilIdle(stores);
  await stores.mongo
    .db('atrium')
    .collection('mails')
    .updateMany({ state: 'queued', attempts: 0 }, { $set: { nextAttemptAt: new Date() } });
  await waitUntilIdle(stores);
}
