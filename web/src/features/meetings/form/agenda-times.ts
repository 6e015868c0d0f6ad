/** Part of an agenda item; empty minutes count as 0. */
type ItemDuration = { minutes: number | null };

const MINUTE = 60_000;

/** Returns the start of each item and the end of the last one, as ISO 8601 in UTC. */
export function agendaTimes(startTime: string, items: readonly ItemDuration[]): { starts: string[]; end: string } {
  let at = Date.parse(startTime);
  const starts = items.map(({ minutes }) => {
    const start = new Date(at).toISOString();
    at += (minutes ?? 0) * MINUTE;
    return start;
  });
  return { starts, end: new Date(at).toISOString() };
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  next.splice(to, 0, item);
  return next;
}
