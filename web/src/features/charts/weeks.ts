import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';
import { plusDays, startOfWeek } from '#lib/time/weeks.ts';

export type Week = { start: Date; end: Date; count: number; isCurrent: boolean };

type Completions = readonly { day: Day; count: number }[];
type Period = { from: Date; now: Date; firstDay: number };

/** Sums counts of days by week, from the week of `from` to the current one. Weeks without any have a count of zero. */
export function countByWeek(completions: Completions, { from, now, firstDay }: Period): Week[] {
  const counts = new Map<Day, number>();
  for (const { day, count } of completions) {
    const week = dayOfDate(startOfWeek(dateOfDay(day) ?? now, firstDay));
    counts.set(week, (counts.get(week) ?? 0) + count);
  }
  const weeks: Week[] = [];
  for (let start = startOfWeek(from, firstDay); start <= now; start = plusDays(start, 7)) {
    const end = plusDays(start, 7);
    weeks.push({ start, end, count: counts.get(dayOfDate(start)) ?? 0, isCurrent: end > now });
  }
  return weeks;
}
