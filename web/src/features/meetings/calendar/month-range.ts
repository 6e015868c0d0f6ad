import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { type Day, dateOfDay, dayOfDate } from '../../../lib/day.ts';

/** A month as `YYYY-MM`. */
export type Month = string;

export const monthOf = (date: Date): Month => dayOfDate(date).slice(0, 7);

/** The first day of the month; this month for anything else. */
export function dateOfMonth(month: Month): Date {
  const now = new Date();
  return dateOfDay(`${month}-01`) ?? new Date(now.getFullYear(), now.getMonth(), 1);
}

/** The month with the days of its neighbours that its sheet shows. */
export function sheetRange(month: Month): { from: string; to: string } {
  const first = dateOfMonth(month);
  const [year, index] = [first.getFullYear(), first.getMonth()];
  return { from: new Date(year, index, -5).toISOString(), to: new Date(year, index + 1, 7).toISOString() };
}

/** A day from its first to its last moment here; null for anything else. */
export function dayRange(day: string): { from: string; to: string } | null {
  const date = dateOfDay(day);
  if (!date) return null;
  const next = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
  return { from: date.toISOString(), to: next.toISOString() };
}

/** Every day on which one of the meetings takes place. */
export function daysWith(meetings: readonly Pick<Meeting, 'startTime' | 'endTime'>[]): ReadonlySet<Day> {
  const days = new Set<Day>();
  for (const { startTime, endTime } of meetings) {
    const last = Date.parse(endTime);
    const day = new Date(startTime);
    day.setHours(0, 0, 0, 0);
    for (; day.getTime() < last; day.setDate(day.getDate() + 1)) days.add(dayOfDate(day));
  }
  return days;
}
