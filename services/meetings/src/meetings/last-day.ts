import { localDay } from '../series/recurrence.ts';

/** YYYY-MM-DD; a timestamp is converted to the local day in the zone of the meeting. */
export function toLastDay(given: string | null, timezone: string): string | null {
  if (given === null || given.length === 'YYYY-MM-DD'.length) return given;
  return localDay(new Date(given), timezone);
}
