import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 500;
/** Event-loop delay beyond which new work only makes every answer later (architecture, "Shed before the knee"). */
const LIMIT_MS = 400;

/**
 * Tells whether this process is too late with everything to take on more: in two half-second windows one after the other, as a
 * single pause (a collection, a machine that was busy with something else) is over when it is noticed.
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
      // Nothing measures any more, and whoever is still here is let finish.
      late = false;
    },
  };
}
