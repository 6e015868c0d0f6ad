import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { recurrenceText } from '@atrium/proto-events/recurrence/text';
import { dayInZone } from '@atrium/proto-events/wall-clock';
import { type Day, dayOfDate } from '#lib/time/day.ts';
import { shortDate } from '#ui/times/time-format.ts';
import { zoneName } from './meeting-labels.ts';

type RecurringMeeting = Pick<
  Meeting,
  'recurringFrequency' | 'recurrence' | 'recurringEndDate' | 'startTime' | 'timezone'
>;

export function recurrenceLabel(meeting: RecurringMeeting): string | undefined {
  const { recurringFrequency: frequency, recurrence, recurringEndDate, startTime, timezone } = meeting;
  if (frequency === null || recurrence === null) return undefined;
  const isSameDay = dayIn(timezone, startTime) === dayOfDate(new Date(startTime));
  const context = { day: recurrence.day, otherZone: isSameDay ? undefined : zoneName(timezone) };
  const until = recurringEndDate === null ? '' : ` until ${shortDate(`${recurringEndDate}T00:00`)}`;
  return `Repeats ${recurrenceText({ ...recurrence, frequency }, context)}${until}`;
}

/** Returns the day of a timestamp in a time zone, or in the browser's zone if the time zone is unknown. */
export function dayIn(timeZone: string, time: string): Day {
  try {
    return dayInZone(time, timeZone);
  } catch {
    return dayOfDate(new Date(time));
  }
}
