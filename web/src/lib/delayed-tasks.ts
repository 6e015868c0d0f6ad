/** How long to wait for an earlier event that arrives on another path, such as a message from another pod. */
export const REORDER_WAIT_MS = 400;

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

/** Passes items on immediately, then in batches at most every `intervalMs`. */
export function coalesce<Item>(intervalMs: number, handle: (items: Item[]) => void): (items: readonly Item[]) => void {
  let pendingItems: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (pendingItems.length === 0) return;
    const items = pendingItems;
    pendingItems = [];
    timer = setTimeout(flush, intervalMs);
    handle(items);
  };
  return (items) => {
    pendingItems.push(...items);
    if (timer === undefined) flush();
  };
}
