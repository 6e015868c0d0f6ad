import { dayInZone } from '@atrium/proto-events/recurrence';
import { type Day, dayOfDate } from '#lib/day.ts';

/** The day of a timestamp in a time zone; in the browser's zone if the given one is unknown. */
export function dayIn(timeZone: string, time: string): Day {
  try {
    return dayInZone(time, timeZone);
  } catch {
    return dayOfDate(new Date(time));
  }
}
