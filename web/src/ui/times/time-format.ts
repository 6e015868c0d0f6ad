import { formatTime } from '#lib/time/formats.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const HALF_OF_DAY = /[AP]M$/;

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** Counts hours up to 24 hours, then calendar days; from a week on, shows the date. */
export function formatRelativeTime(time: string, now: number): string {
  const distance = new Date(time).getTime() - now;
  const size = Math.abs(distance);
  if (Number.isNaN(size)) return '';
  if (size < MINUTE) return 'just now';
  if (size < HOUR) return relative.format(Math.trunc(distance / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.trunc(distance / HOUR), 'hour');
  const days = daysFromToday(time, new Date(now));
  return Math.abs(days) < 7 ? relative.format(days, 'day') : shortDate(time);
}

export function shortDate(time: string | Date): string {
  return formatTime(time, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** The option that shows the year, unless it is the current one. */
export const yearIfOther = (time: string, now: Date): { year?: 'numeric' } =>
  new Date(time).getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };

export function dateAndTime(time: string | number | Date): string {
  return formatTime(time, { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' });
}

export function clockTime(time: string | number): string {
  return formatTime(time, { hour: 'numeric', minute: '2-digit' });
}

/** `24:00` is the end of a day. Anything but `HH:MM` is returned unchanged. */
export function timeOfDay(time: string): string {
  const isDayEnd = time === '24:00';
  const text = formatTime(`1970-01-01T${isDayEnd ? '00:00' : time}Z`, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  return text === '' || (isDayEnd && !HALF_OF_DAY.test(text)) ? time : text;
}

export const wholeHour = (time: number): string => clockTime(time).replace(/:00 (?=[AP]M$)/, ' ');

export function narrowClockTime(time: string | number): string {
  const clock = clockTime(time);
  const half = / ([AP])M$/.exec(clock)?.[1];
  return half ? `${clock.slice(0, -3).replace(':00', '')}${half.toLowerCase()}` : clock;
}

export function fullTime(time: string): string {
  return formatTime(time, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}

/** Calendar days from today in the user's zone: 0 today, 1 tomorrow. */
export function daysFromToday(time: string, now: Date = new Date()): number {
  const day = new Date(time);
  const start = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((start(day) - start(now)) / DAY);
}
