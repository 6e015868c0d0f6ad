/** Spreads requests of browsers that received the same event or failed together, by at most half of the delay. */
export const SPREAD = 0.5;

export const jitter = (ms: number, share = SPREAD): number => ms * (1 + Math.random() * share);

/** Returns the milliseconds since `time` by the device clock, or infinity if the clock has been set back since. */
export function elapsedMs(time: number): number {
  const ms = Date.now() - time;
  return ms < 0 ? Number.POSITIVE_INFINITY : ms;
}

export function waitForNetwork(delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const finish = () => resolve();
  const timer = setTimeout(finish, delayMs);
  window.addEventListener('online', finish);
  signal?.addEventListener('abort', finish);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', finish);
    signal?.removeEventListener('abort', finish);
  });
}
