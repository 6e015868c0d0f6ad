import { clockTime, daysFromToday, shortDate } from '../../../ui/times/time-words.ts';

/** When the last thing happened, short: the clock today, then 'Yesterday', the weekday, the date. */
export function activityTime(time: string, now = new Date()): string {
  const days = daysFromToday(time, now);
  if (days >= 0) return clockTime(time);
  if (days === -1) return 'Yesterday';
  if (days > -7) return new Date(time).toLocaleDateString(undefined, { weekday: 'short' });
  return new Date(time).toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
}

/** The day of a separator: 'Today', 'Yesterday', the weekday with the date, with the year where it is another. */
export function dayLabel(time: string, now = new Date()): string {
  const days = daysFromToday(time, now);
  if (days === 0) return 'Today';
  if (days === -1) return 'Yesterday';
  if (new Date(time).getFullYear() !== now.getFullYear()) return shortDate(time);
  return new Date(time).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
}

/** The clock without 'AM' or 'PM', for the margin beside messages that follow each other. */
export function marginTime(time: string): string {
  const parts = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' }).formatToParts(
    new Date(time),
  );
  return parts
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim();
}
