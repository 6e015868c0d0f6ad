/** What comes by another way, as a message that another pod says, is waited for so long where something that belongs behind it was first. */
export const SETTLE_MS = 400;

/** Work that is done so many milliseconds after it is given, each by itself, until the rest of it is called off. */
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
