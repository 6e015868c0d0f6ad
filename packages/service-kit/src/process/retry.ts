import { once } from 'node:events';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import type { Logger } from '../observability/logger.ts';

/**
 * Retries `run` until it succeeds or the signal aborts, with delays growing from 200 ms to `maxDelayMs`. Used for
 * dependencies that may start later.
 */
export async function retryUntilDone<T>(
  taskName: string,
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
    if (attempt % 5 === 1) log.warn({ err: cause, attempt, task: taskName }, 'Not available yet; retrying');
  });
  return policy.execute(run, signal);
}

/** Maximum time readiness waits for warm-up. A longer wait would couple the readiness of one service to another. */
const TIME_LIMIT_MS = 10_000;

type WarmUpTasks = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs all tasks, so that the burst of first requests to a fresh process need not wait or fail. Unfinished
 * tasks are left to those requests. Never rejects, and ends immediately when the signal aborts.
 */
export async function warmUp(
  tasks: WarmUpTasks,
  log: Logger,
  signal: AbortSignal,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<void> {
  const timeLimit = AbortSignal.timeout(timeLimitMs);
  const stopSignal = AbortSignal.any([signal, timeLimit]);
  // Tasks in flight are not awaited: an unresponsive peer could exceed the limit.
  const aborted = once(stopSignal, 'abort');
  const attempt = async ([name, run]: [string, () => Promise<unknown>]) => {
    const runUnlessStopped = async () => void (stopSignal.aborted || (await run()));
    const completion = retryUntilDone(name, runUnlessStopped, log, stopSignal).then(() => true);
    const isDone = await Promise.race([completion, aborted.then(() => false)]).catch(() => false);
    if (!isDone && !signal.aborted) log.warn({ task: name }, 'Warm-up incomplete; left to the first requests');
  };
  if (!stopSignal.aborted) await Promise.all(Object.entries(tasks).map(attempt));
}
