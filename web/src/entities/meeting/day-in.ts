import { dayInZone } from '@atrium/proto-events/recurrence';
import { type Day, dayOfDate } from '../../lib/day.ts';

/** The day of a timestamp in a time zone; in the local one if the browser does not know that zone. */
export function dayIn(timeZone: string, time: string): Day {
  try {
    return dayInZone(time, timeZone);
  } catch {
    return dayOfDate(new Date(time));
  }
}
