import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';

/** `YYYY-MM`. */
type Month = string;

export const monthOf = (date: Date): Month => dayOfDate(date).slice(0, 7);

export function dateOfMonth(month: Month): Date {
  const now = new Date();
  return dateOfDay(`${month}-01`) ?? new Date(now.getFullYear(), now.getMonth(), 1);
}

/** Returns the month with the days of adjacent months that its sheet shows. */
export function sheetRange(month: Month): { from: string; to: string } {
  const first = dateOfMonth(month);
  const year = first.getFullYear();
  const index = first.getMonth();
  return { from: new Date(year, index, -5).toISOString(), to: new Date(year, index + 1, 7).toISOString() };
}

export function dayRange(day: string): { from: string; to: string } | null {
  const date = dateOfDay(day);
  if (!date) return null;
  const next = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
  return { from: date.toISOString(), to: next.toISOString() };
}

export function daysWithMeetings(meetings: readonly Pick<Meeting, 'startTime' | 'endTime'>[]): ReadonlySet<Day> {
  const days = new Set<Day>();
  for (const { startTime, endTime } of meetings) {
    const last = Date.parse(endTime);
    const day = new Date(startTime);
    day.setHours(0, 0, 0, 0);
    for (; day.getTime() < last; day.setDate(day.getDate() + 1)) days.add(dayOfDate(day));
  }
  return days;
}
