import { waitFor } from '../wait-for.ts';
import { findPendingWork, type PendingWorkOptions } from './find-pending-work.ts';
import type { Stores } from './stores.ts';

/**
 * Waits until no work is in progress. Throws after `timeoutMs`, a minute by default; the message describes the work that
 * is still pending.
 */
export async function waitUntilIdle(
  stores: Stores,
  { timeoutMs, ...options }: PendingWorkOptions & { timeoutMs?: number } = {},
): Promise<void> {
  let pendingWork: readonly string[] = [];
  const isIdle = async () => {
    pendingWork = await findPendingWork(stores, options);
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
