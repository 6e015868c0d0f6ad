import { formatTime } from '#lib/time/formats.ts';
import { clockTime, daysFromToday } from '#ui/times/time-format.ts';

const HOUR_MS = 60 * 60_000;
const MORNING_HOUR = 8;

const morningIn = (now: Date, days: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);

/** From 1 on a Sunday to 7 on a Monday. */
const daysUntilMonday = (now: Date) => 7 - ((now.getDay() + 6) % 7);

/** Suggests how long to pause notifications, in the time zone of the browser. */
export function pauseTimes(now: Date): { label: string; until: Date }[] {
  const tomorrow = morningIn(now, 1);
  const monday = morningIn(now, daysUntilMonday(now));
  const withClock = (day: string, until: Date) => ({ label: `Until ${day}, ${clockTime(until.getTime())}`, until });
  return [
    { label: 'For 1 hour', until: new Date(now.getTime() + HOUR_MS) },
    withClock('tomorrow', tomorrow),
    ...(monday.getTime() === tomorrow.getTime() ? [] : [withClock('next Monday', monday)]),
  ];
}

/** Shows only the time if it is today, and otherwise the day as well. */
export function pauseEndText(time: string, now: Date): string {
  const days = daysFromToday(time, now);
  if (days === 0) return clockTime(time);
  if (days === 1) return `tomorrow, ${clockTime(time)}`;
  return formatTime(time, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
}
