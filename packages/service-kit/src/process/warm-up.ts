import { once } from 'node:events';
import type { Logger } from '../observability/logger.ts';
import { retryUntilDone } from './retry.ts';

/** How long readiness waits for it: longer would make the readiness of one service hang on another. */
const LIMIT_MS = 10_000;

/** What would otherwise wait for the first request, by what the log calls it. */
export type WarmUp = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Does all of it, so that the first requests of a fresh process, which come all at once, need not wait for it or fail with it. What
 * cannot be done in time is left to them. Never rejects, and ends at once when the signal aborts.
 */
export async function warmUp(what: WarmUp, log: Logger, signal: AbortSignal, limitMs = LIMIT_MS): Promise<void> {
  const late = AbortSignal.timeout(limitMs);
  const over = AbortSignal.any([signal, late]);
  // What is under way is not waited for: a peer that says nothing would hold it for longer than is left.
  const givenUp = once(over, 'abort');
  const attempt = async ([name, run]: [string, () => Promise<unknown>]) => {
    const unlessOver = async () => void (over.aborted || (await run()));
    const done = retryUntilDone(name, unlessOver, log, over).then(() => true);
    const isDone = await Promise.race([done, givenUp.then(() => false)]).catch(() => false);
    if (!isDone && !signal.aborted) log.warn(`${name}: not there in time, the first requests will ask`);
  };
  if (!over.aborted) await Promise.all(Object.entries(what).map(attempt));
}
