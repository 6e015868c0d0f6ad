import { ApiError, getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { createCanceledError } from '../api/upload.ts';
import { waitForNetwork } from '../delays.ts';

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

type Options = {
  signal: AbortSignal;
  onStalled: (isStalled: boolean) => void;
  isRetryable?: (error: unknown) => boolean;
};

export const isDeferredByServer = (error: unknown): boolean => getRetryAfterMs(error) !== undefined;

/** Rejects with final errors and when `signal` aborts. */
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
      if (signal.aborted) throw createCanceledError();
    }
  }
}

const isTransient = (error: unknown) =>
  error instanceof ApiError && error.code !== 'request_failed' && (!isFinal(error) || error.status === 408);

function retryDelay(error: unknown, attempts: number): number {
  // Jitter, so that concurrent waits do not end together.
  return (
    (getRetryAfterMs(error) ?? Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(attempts, 10))) *
    (0.8 + Math.random() * 0.4)
  );
}
