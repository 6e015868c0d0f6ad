import { waitFor } from '../wait-for.ts';
import { findPendingWork, storedEmails } from './find-pending-work.ts';
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
  while (await makeQueuedEmailsDue(stores)) await waitUntilIdle(stores);
}

/** Returns whether there were any. */
async function makeQueuedEmailsDue(stores: Stores): Promise<boolean> {
  const due = { $set: { nextAttemptAt: new Date() } };
  return (await storedEmails(stores).updateMany({ state: 'queued' }, due)).matchedCount > 0;
}
