import { ApiError, getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { createCanceledError } from '../api/upload.ts';
import { waitForNetwork } from '../delays.ts';

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** About 90 seconds of retries. A server that is busy, restarting, or unreachable responds with other errors. */
const MAX_INTERNAL_ERRORS = 8;

/** What a paused `retryWhile` waits for. */
export type StallReason = 'connection' | 'server';

type Options = {
  signal: AbortSignal;
  onStalled: (reason: StallReason | null) => void;
  isRetryable: (error: unknown) => boolean;
};

/** The server asked for a later attempt with `Retry-After`. A lost connection does not count. */
export const isDeferredByServer = (error: unknown): boolean => getRetryAfterMs(error) !== undefined;

/** Includes lost connections, timeouts, and unavailable servers. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== 'request_failed' && (!isFinal(error) || error.status === 408);

/** Retries errors that `isRetryable` accepts. Rejects with every other error, repeated 500s, and when `signal` aborts. */
export async function retryWhile<T>(
  run: (isRetry: boolean) => Promise<T>,
  { signal, onStalled, isRetryable }: Options,
): Promise<T> {
  let internalErrors = 0;
  for (let attempts = 0; ; attempts += 1) {
    try {
      const result = await run(attempts > 0);
      if (attempts > 0) onStalled(null);
      return result;
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) throw error;
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 500) internalErrors += 1;
      if (internalErrors === MAX_INTERNAL_ERRORS) throw error;
      onStalled(status === 0 ? 'connection' : 'server');
      await waitForNetwork(resendDelay(error, attempts), signal);
      if (signal.aborted) throw createCanceledError();
    }
  }
}

function resendDelay(error: unknown, attempts: number): number {
  // Jitter, so that concurrent waits do not end together.
  return (
    (getRetryAfterMs(error) ?? Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(attempts, 10))) *
    (0.8 + Math.random() * 0.4)
  );
}
