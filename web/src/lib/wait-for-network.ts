/** Resolves when the browser says that the network is back, after so many milliseconds in any case, and at once when `signal` aborts. */
export function onlineOrAfter(delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const goOn = () => resolve();
  const timer = setTimeout(goOn, delayMs);
  window.addEventListener('online', goOn);
  signal?.addEventListener('abort', goOn);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', goOn);
    signal?.removeEventListener('abort', goOn);
  });
}
