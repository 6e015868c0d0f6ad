import { formatTime } from './formats.ts';
/** A date without time or zone, as `YYYY-MM-DD`. */
export type Day = string;

export const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight of the day in the user's zone; undefined for invalid input. */
export function dateOfDay(day: Day): Date | undefined {
  const [, year, month, date] = PATTERN.exec(day) ?? [];
  return year && month && date ? new Date(Number(year), Number(month) - 1, Number(date)) : undefined;
}

/** The day of a date in the user's zone. */
export function dayOfDate(date: Date): Day {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The day of a stored time, which is its first instant in UTC; empty without one. */
export function storedDay(time: string | null | undefined): Day {
  return (time ?? '').slice(0, 10);
}

/** 'Fri, 20 Nov 2026', in the user's format. */
export function dayLabel(day: Day): string {
  return formatTime(dateOfDay(day), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}
