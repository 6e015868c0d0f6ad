import { CalendarDate } from '@internationalized/date';
import { type Day, PATTERN } from '#lib/day.ts';

/** The day as a date of React Aria; null for anything else. */
export function calendarDateOf(day: Day | ''): CalendarDate | null {
  const [, year, month, date] = PATTERN.exec(day) ?? [];
  return year && month && date ? new CalendarDate(Number(year), Number(month), Number(date)) : null;
}
