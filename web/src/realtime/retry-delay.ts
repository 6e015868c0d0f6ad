const BASE_MS = 1_000;
const QUICK_TRIES = 5;
const SLOW_MS = 30_000;
const JITTER = 0.25;

/** Five quick tries with doubling delay from one second, then every 30 seconds with jitter, for ever (decisions, section 7). */
export function retryDelay(tries: number, random: () => number = Math.random): number {
  if (tries < QUICK_TRIES) return BASE_MS * 2 ** tries;
  return SLOW_MS * (1 + (random() * 2 - 1) * JITTER);
}
