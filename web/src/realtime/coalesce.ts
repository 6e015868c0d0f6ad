/** Passes items on immediately, then in batches at most every `intervalMs`. */
export function coalesce<Item>(intervalMs: number, handle: (items: Item[]) => void): (items: readonly Item[]) => void {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, intervalMs);
    handle(items);
  };
  return (items) => {
    waiting.push(...items);
    if (timer === undefined) flush();
  };
}
