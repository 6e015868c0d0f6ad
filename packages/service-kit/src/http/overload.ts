import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 500;
const MAX_DELAY_MS = 400;

/**
 * Reports whether this process is too slow to accept more work: in two consecutive half-second windows, since a
 * single pause (garbage collection, a busy machine) is over when it is detected.
 */
export function watchOverload(maxDelayMs = MAX_DELAY_MS): { overloaded(): boolean; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let wasLate = false;
  let isOverloaded = false;
  const timer = setInterval(() => {
    const isLate = delay.percentile(90) / 1e6 > maxDelayMs;
    isOverloaded = isLate && wasLate;
    wasLate = isLate;
    delay.reset();
  }, WINDOW_MS).unref();
  return {
    overloaded: () => isOverloaded,
    close() {
      clearInterval(timer);
      delay.disable();
      // The delay is no longer measured, and remaining requests may finish.
      isOverloaded = false;
    },
  };
}
