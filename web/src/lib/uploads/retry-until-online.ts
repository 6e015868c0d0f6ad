import { ApiError, getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { uploadCancelled } from '../api/upload.ts';
import { waitForNetwork } from '../delays.ts';

/** Backoff while the network or the server is down. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

type Options = {
  signal: AbortSignal;
  /** Called with true when it starts to wait, and with false when it continues. */
  onStalled: (isStalled: boolean) => void;
  /** Which failures are retried; by default all transient ones. */
  isRetryable?: (error: unknown) => boolean;
};

/** The server sent a `Retry-After`, such as for too many concurrent files. */
export const isDeferredByServer = (error: unknown): boolean => getRetryAfterMs(error) !== undefined;

/**
 * Retries a call until it succeeds: when the browser is online again, and periodically. Rejects with final errors and
 * when `signal` aborts. `run` receives whether it ran before.
 */
export async function retryUntilOnline<T>(
  run: (isRetry: boolean) => Promise<T>,
  { signal, onStalled, isRetryable = isTransient }: Options,
): Promise<T> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      const result = await run(attempts > 0);
      if (attempts > 0) onStalled(false);
      return result;
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) throw error;
      onStalled(true);
      await waitForNetwork(retryDelay(error, attempts), signal);
      if (signal.aborted) throw uploadCancelled();
    }
  }
}

/** No response, or a server that is temporarily unable to respond. */
const isTransient = (error: unknown) =>
  error instanceof ApiError && error.code !== 'request_failed' && (!isFinal(error) || error.status === 408);

function retryDelay(error: unknown, attempts: number): number {
  // Jitter, so that concurrent waits do not end together.
  return (
    (getRetryAfterMs(error) ?? Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(attempts, 10))) *
    (0.8 + Math.random() * 0.4)
  );
}
