/** Hands items on at once, then at most every `everyMs` in one go, so that a burst of changes asks once. */
export function coalesce<Item>(everyMs: number, handle: (items: Item[]) => void): (items: readonly Item[]) => void {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, everyMs);
    handle(items);
  };
  return (items) => {
    waiting.push(...items);
    if (timer === undefined) flush();
  };
}
