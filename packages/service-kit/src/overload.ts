import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 500;
/** Event-loop delay beyond which new work only makes every answer later (architecture, "Shed before the knee"). */
const LIMIT_MS = 400;

/** Tells whether this process is too late with everything to take on more; measured over half-second windows. */
export function watchOverload(limitMs = LIMIT_MS): { overloaded(): boolean; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let late = false;
  const timer = setInterval(() => {
    late = delay.percentile(90) / 1e6 > limitMs;
    delay.reset();
  }, WINDOW_MS).unref();
  return {
    overloaded: () => late,
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
