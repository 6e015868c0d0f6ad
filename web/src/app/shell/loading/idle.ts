/** The deadline per chunk for pages that are never idle or are hidden. */
const IDLE_TIMEOUT_MS = 500;

export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS });
    else resolve();
  });
}
