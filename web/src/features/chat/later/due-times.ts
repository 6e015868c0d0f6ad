import { isolate } from '@atrium/proto-events/text/isolate';
import { formatTime } from '#lib/time/formats.ts';
import { clockTime, daysFromToday, yearIfOther } from '#ui/times/time-format.ts';

export type DueTime = { label: string; at: Date };

const MINUTE_MS = 60_000;
const MORNING_HOUR = 9;
const AFTERNOON_HOUR = 14;
const MONDAY = 1;

const inMinutes = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);

/** Returns a full hour, some days from now, in the time zone of the browser. */
const onDay = (now: Date, days: number, hour: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);

const withClock = (day: string, at: Date): DueTime => ({ label: `${day}, ${clockTime(at.getTime())}`, at });

function daysUntilMonday(now: Date): number {
  const days = (MONDAY - now.getDay() + 7) % 7;
  return days === 0 ? 7 : days;
}

function mornings(now: Date): DueTime[] {
  const untilMonday = daysUntilMonday(now);
  const monday = withClock('Monday', onDay(now, untilMonday, MORNING_HOUR));
  const tomorrow = withClock('Tomorrow', onDay(now, 1, MORNING_HOUR));
  return untilMonday === 1 ? [tomorrow] : [tomorrow, monday];
}

/** Suggests when to send a message. */
export function sendTimes(now: Date): DueTime[] {
  const afternoon = onDay(now, 0, AFTERNOON_HOUR);
  const isAhead = afternoon.getTime() - now.getTime() > 60 * MINUTE_MS;
  return [
    { label: 'In 30 minutes', at: inMinutes(now, 30) },
    ...(isAhead ? [withClock('This afternoon', afternoon)] : []),
    ...mornings(now),
  ];
}

/** Suggests when to be reminded. */
export const reminderTimes = (now: Date): DueTime[] => [
  { label: 'In 20 minutes', at: inMinutes(now, 20) },
  { label: 'In 1 hour', at: inMinutes(now, 60) },
  { label: 'In 3 hours', at: inMinutes(now, 180) },
  withClock('Tomorrow', onDay(now, 1, MORNING_HOUR)),
];

/** Returns a day and a time, such as "tomorrow at 9:00". */
export function dueTimeText(time: string, now = new Date()): string {
  const days = daysFromToday(time, now);
  const at = `at ${isolate(clockTime(time))}`;
  if (days === 0) return `today ${at}`;
  if (days === 1) return `tomorrow ${at}`;
  const day = formatTime(time, { weekday: 'short', day: 'numeric', month: 'short', ...yearIfOther(time, now) });
  return `${day} ${at}`;
}
