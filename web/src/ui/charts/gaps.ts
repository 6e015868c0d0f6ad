import type { Day } from '#lib/time/day.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What was recorded on a day in UTC. Days without a record are missing. */
export type Recorded = { day: Day };

const dayNumber = (day: Day): number => Math.round(Date.parse(day) / DAY_MS);

const isGap = (before: Recorded, after: Recorded): boolean => dayNumber(after.day) - dayNumber(before.day) > 1;

/** Splits sorted records into runs without a missing day, each of which is drawn as one line. */
export function splitAtGaps<Item extends Recorded>(items: readonly Item[]): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && !isGap(before, item)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

type Gap<Item> = { before: Item; after: Item; missingDays: Day[] };

/** Lists the gaps between sorted records. Days before the first record are not gaps. */
export function listGaps<Item extends Recorded>(items: readonly Item[]): Gap<Item>[] {
  return items.flatMap((after, index) => {
    const before = items[index - 1];
    return before && isGap(before, after) ? [{ before, after, missingDays: daysBetween(before.day, after.day) }] : [];
  });
}

function daysBetween(first: Day, last: Day): Day[] {
  const count = dayNumber(last) - dayNumber(first) - 1;
  return Array.from({ length: count }, (_, index) =>
    new Date((dayNumber(first) + index + 1) * DAY_MS).toISOString().slice(0, 10),
  );
}
