import { localDay } from '../series/recurrence.ts';

/** The last day of a series, YYYY-MM-DD. Given as a moment it is the day on which that falls in the meeting's zone (decisions, section 5). */
export function toLastDay(given: string | null, timezone: string): string | null {
  if (given === null || given.length === 'YYYY-MM-DD'.length) return given;
  return localDay(new Date(given), timezone);
}
