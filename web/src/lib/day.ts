import { formatTime } from './formats.ts';
/** A day without time or zone, as `YYYY-MM-DD`. */
export type Day = string;

export const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight of that day in the person's zone; undefined for anything else. */
export function dateOfDay(day: Day): Date | undefined {
  const [, year, month, date] = PATTERN.exec(day) ?? [];
  return year && month && date ? new Date(Number(year), Number(month) - 1, Number(date)) : undefined;
}

/** The day that date is on in the person's zone. */
export function dayOfDate(date: Date): Day {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A day as it was given: it is stored as its first moment in UTC. Empty without one. */
export function storedDay(time: string | null | undefined): Day {
  return (time ?? '').slice(0, 10);
}

/** 'Fri, 20 Nov 2026' in the person's own way. */
export function dayLabel(day: Day): string {
  return formatTime(dateOfDay(day), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}
