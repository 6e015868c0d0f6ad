import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';
import { timeOfDay } from '#ui/times/time-format.ts';
import { HOUR_MS, MINUTE_MS } from '../layout/span.ts';
import { clock, type MeetingValues } from './meeting-values.ts';

export type TimeValues = Pick<MeetingValues, 'date' | 'startTime' | 'endTime'>;
export type Instants = { startTime: string | undefined; endTime: string | undefined };
/** The times that the form was filled with. */
export type Times = { startTime: string; endTime: string };

export function toInstant(day: Day | '', time: string): string | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  const date = dateOfDay(day);
  if (!date || hours === undefined || minutes === undefined) return undefined;
  date.setHours(Number(hours), Number(minutes));
  return date.toISOString();
}

/** Whether the local time is skipped when the clocks go forward; a date then shows a different time. */
export function isSkipped(day: Day | '', time: string): boolean {
  const at = toInstant(day, time);
  return at !== undefined && clock(new Date(at)) !== time;
}

/**
 * Returns the instants of a form's local times. In a repeated hour (clocks go back), a typed time is the first
 * occurrence, an unchanged time keeps its instant, and a new end is the first one after the start.
 */
export function toInstants({ date, startTime, endTime }: TimeValues, from?: Times): Instants {
  const isUnchanged = (initial: string, time: string) => {
    const at = new Date(initial);
    return dayOfDate(at) === date && clock(at) === time;
  };
  const start = from && isUnchanged(from.startTime, startTime) ? from.startTime : toInstant(date, startTime);
  if (from && isUnchanged(from.endTime, endTime)) return { startTime: start, endTime: from.endTime };
  const end = toInstant(date, endTime);
  const isBefore = start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start);
  return { startTime: start, endTime: (isBefore && secondOccurrence(end)) || end };
}

export function repeatedTimeText(when: TimeValues, from?: Times): string | undefined {
  const first = toInstant(when.date, when.startTime);
  const second = first && secondOccurrence(first);
  if (!second) return undefined;
  const which = toInstants(when, from).startTime === second ? 'second' : 'first';
  return `The clocks go back: ${timeOfDay(when.startTime)} occurs twice, and this is the ${which} one`;
}

/** Minutes from local time to UTC at an instant. */
type Offset = (at: number) => number;

const LOCAL_OFFSET: Offset = (at) => new Date(at).getTimezoneOffset();

/** No zone sets its clocks back further, or twice within that time. */
const MAX_SHIFT_MS = 3 * HOUR_MS;

/** Returns the second instant with the same local time in a night when clocks go back; otherwise undefined. */
export function secondOccurrence(first: string, offset: Offset = LOCAL_OFFSET): string | undefined {
  const at = Date.parse(first);
  const back = offset(at + MAX_SHIFT_MS) - offset(at);
  const second = at + back * MINUTE_MS;
  return back > 0 && offset(second) === offset(at) + back ? new Date(second).toISOString() : undefined;
}
