import { formatTime, timeParts } from '#lib/time/formats.ts';
import { daysFromToday, shortDate } from '#ui/times/time-format.ts';

export function dayLabel(time: string, now = new Date()): string {
  const days = daysFromToday(time, now);
  if (days === 0) return 'Today';
  if (days === -1) return 'Yesterday';
  if (new Date(time).getFullYear() !== now.getFullYear()) return shortDate(time);
  return formatTime(time, { weekday: 'long', day: 'numeric', month: 'long' });
}

export function marginTime(time: string): string {
  return timeParts(time, { hour: 'numeric', minute: '2-digit' })
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim();
}
