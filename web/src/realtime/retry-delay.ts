const BASE_MS = 1_000;
export const QUICK_TRIES = 5;
export const SLOW_MS = 30_000;
const JITTER = 0.25;

/**
 * Five quick tries with doubling delay from one second, then every 30 seconds, for ever (decisions, section 7); each with jitter, so that
 * those who were lost together do not come back together.
 */
export function retryDelay(tries: number, random: () => number = Math.random): number {
  const delay = tries < QUICK_TRIES ? BASE_MS * 2 ** tries : SLOW_MS;
  return delay * (1 + (random() * 2 - 1) * JITTER);
}
