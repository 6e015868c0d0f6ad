import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import type { Logger } from '../observability/logger.ts';

/**
 * Retries until it succeeds or the signal aborts, with delays growing from 200 ms to `maxDelayMs`. For dependencies
 * that may start later.
 */
export async function retryUntilDone<T>(
  what: string,
  run: () => Promise<T>,
  log: Logger,
  signal: AbortSignal,
  { maxDelayMs = 2_000 } = {},
): Promise<T> {
  const policy = retry(handleAll, {
    maxAttempts: Number.MAX_SAFE_INTEGER,
    backoff: new ExponentialBackoff({ initialDelay: 200, maxDelay: maxDelayMs }),
  });
  policy.onRetry(({ attempt, ...failure }) => {
    const cause = 'error' in failure ? failure.error : undefined;
    if (attempt % 5 === 1) log.warn({ err: cause, attempt, task: what }, 'Not available yet; retrying');
  });
  return policy.execute(run, signal);
}
