import { formatTime } from './formats.ts';
/** A date without time or zone, as `YYYY-MM-DD`. */
export type Day = string;

export const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

export function dateOfDay(day: Day): Date | undefined {
  const [, year, month, date] = PATTERN.exec(day) ?? [];
  return year && month && date ? new Date(Number(year), Number(month) - 1, Number(date)) : undefined;
}

export function dayOfDate(date: Date): Day {
  const padTwo = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}

export function addDays(day: Day, count: number): Day {
  const date = dateOfDay(day);
  return date ? dayOfDate(new Date(date.getFullYear(), date.getMonth(), date.getDate() + count)) : day;
}

/** Returns the day of a stored time, which is the first instant of the day in UTC. Empty without a time. */
export function storedDay(time: string | null | undefined): Day {
  return (time ?? '').slice(0, 10);
}

export function dayLabel(day: Day): string {
  return formatTime(dateOfDay(day), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}
