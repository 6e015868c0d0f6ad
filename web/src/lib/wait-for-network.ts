/** Resolves when the browser is online again, after `delayMs`, or when `signal` aborts. */
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
