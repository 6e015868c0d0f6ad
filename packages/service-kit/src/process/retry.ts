import { once } from 'node:events';
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

/** Maximum delay of readiness: longer would couple the readiness of one service to another. */
const LIMIT_MS = 10_000;

type WarmUp = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs all tasks, so that the burst of first requests to a fresh process need not wait or fail. Unfinished ones are
 * left to the requests. Never rejects, and ends immediately when the signal aborts.
 */
export async function warmUp(what: WarmUp, log: Logger, signal: AbortSignal, limitMs = LIMIT_MS): Promise<void> {
  const late = AbortSignal.timeout(limitMs);
  const over = AbortSignal.any([signal, late]);
  // Tasks in flight are not awaited: an unresponsive peer could exceed the limit.
  const aborted = once(over, 'abort');
  const attempt = async ([name, run]: [string, () => Promise<unknown>]) => {
    const unlessOver = async () => void (over.aborted || (await run()));
    const done = retryUntilDone(name, unlessOver, log, over).then(() => true);
    const isDone = await Promise.race([done, aborted.then(() => false)]).catch(() => false);
    if (!isDone && !signal.aborted) log.warn({ task: name }, 'Warm-up incomplete; left to the first requests');
  };
  if (!over.aborted) await Promise.all(Object.entries(what).map(attempt));
}
