import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 500;
const LIMIT_MS = 400;

/**
 * Reports whether this process is too slow to accept more work: in two consecutive half-second windows, since a
 * single pause (garbage collection, a busy machine) is over when it is detected.
 */
export function watchOverload(limitMs = LIMIT_MS): { overloaded(): boolean; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let lateBefore = false;
  let late = false;
  const timer = setInterval(() => {
    const isLate = delay.percentile(90) / 1e6 > limitMs;
    late = isLate && lateBefore;
    lateBefore = isLate;
    delay.reset();
  }, WINDOW_MS).unref();
  return {
    overloaded: () => late,
    close() {
      clearInterval(timer);
      delay.disable();
      // Nothing measures anymore, and remaining requests may finish.
      late = false;
    },
  };
}
