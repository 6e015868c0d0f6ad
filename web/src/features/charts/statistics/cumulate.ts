import { addDays, type Day, dateOfDay } from '#lib/time/day.ts';
import type { LinePoint } from '#ui/charts/line-chart.tsx';

type OnDay<Name extends string> = { day: Day } & Readonly<Record<Name, number>>;

export type Period = { from: Day; to: Day };

/** Returns for each day of a period the sums of everything up to it. Begins at the first day with something to sum. */
export function cumulate<Name extends string>(
  days: readonly OnDay<Name>[],
  names: readonly Name[],
  { from, to }: Period,
): LinePoint[] {
  const sums = names.map(() => 0);
  const points: LinePoint[] = [];
  const first = days[0]?.day ?? to;
  let next = 0;
  for (let day = first > from ? first : from; day <= to; day = addDays(day, 1)) {
    for (let added = days[next]; added && added.day <= day; added = days[next]) {
      for (const [index, name] of names.entries()) sums[index] = (sums[index] ?? 0) + added[name];
      next += 1;
    }
    points.push({ day, time: dateOfDay(day)?.getTime() ?? 0, values: [...sums] });
  }
  return points;
}
