import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';

/** `firstDay` is an index of `Date.getDay`. Returns midnight in the time zone of the browser. */
export function startOfWeek(date: Date, firstDay: number): Date {
  return addDays(date, -((date.getDay() - firstDay + 7) % 7));
}

/** Adds days of the calendar, which may have 23 or 25 hours, and returns the start of the day. */
export function addDays(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

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
  for (let start = startOfWeek(from, firstDay); start <= now; start = addDays(start, 7)) {
    const end = addDays(start, 7);
    weeks.push({ start, end, count: counts.get(dayOfDate(start)) ?? 0, isCurrent: end > now });
  }
  return weeks;
}
