/** How long to wait for an earlier event that arrives on another path, such as a message from another pod. */
export const SETTLE_MS = 400;

/** Runs each task after a delay, until all remaining ones are cancelled. */
export function createDelayedTasks(ms: number): { after: (work: () => void) => void; stop: () => void } {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  return {
    after(work) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timers.add(timer);
    },
    stop: () => timers.forEach(clearTimeout),
  };
}
