import { ApiError, isFinal, getRetryAfterMs } from '../api/api-error.ts';
import { uploadCancelled } from '../api/upload.ts';
import { waitForNetwork } from '../wait-for-network.ts';

/** A server that is back is found soon, one that is away is not asked without end. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

type Options = {
  signal: AbortSignal;
  /** Tells when it begins to wait for the network, or for a server in trouble, and when it goes on. */
  onStalled: (isStalled: boolean) => void;
  /** Which failures are waited for; where nothing is said, all that may pass. */
  isRetryable?: (error: unknown) => boolean;
};

/** The server says when it can take it, as where many files come at once. */
export const isDeferredByServer = (error: unknown): boolean => getRetryAfterMs(error) !== undefined;

/**
 * Runs a call until it is answered, however long the network is away: again at once when the browser says that it is back, and after a
 * while in any case. Rejects with what the server refuses for good, and when `signal` aborts. `again` says that it ran before.
 */
export async function retryUntilOnline<T>(
  run: (isRetry: boolean) => Promise<T>,
  { signal, onStalled, isRetryable = isTransient }: Options,
): Promise<T> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      const answer = await run(attempts > 0);
      if (attempts > 0) onStalled(false);
      return answer;
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) throw error;
      onStalled(true);
      await waitForNetwork(retryDelay(error, attempts), signal);
      if (signal.aborted) throw uploadCancelled();
    }
  }
}

/** Nobody answered, or somebody who could not do it now. */
const isTransient = (error: unknown) =>
  error instanceof ApiError && error.code !== 'request_failed' && (!isFinal(error) || error.status === 408);

function retryDelay(error: unknown, attempts: number): number {
  // Not all at once that were waiting together.
  return (
    (getRetryAfterMs(error) ?? Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(attempts, 10))) * (0.8 + Math.random() * 0.4)
  );
}
