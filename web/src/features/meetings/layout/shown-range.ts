import { weekStartIndex } from '#lib/time/date-preferences.ts';
import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';
import { formatDayRange, formatTime } from '#lib/time/formats.ts';
import { DAY_MS, HOUR_MS, type Span } from './span.ts';

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof VIEWS)[number];

const AGENDA_DAYS = 28;
const WEEK = 7;

const startOfWeek = (date: Date) => plusDays(date, -((date.getDay() - weekStartIndex() + WEEK) % WEEK));
const startOfMonth = (date: Date) => new Date(date.getFullYear(), date.getMonth(), 1);
const plusDays = (date: Date, days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

const daysFrom = (first: Date, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => dayOfDate(plusDays(first, index)));

export const dayAfter = (day: Day): Day => dayOfDate(plusDays(toDate(day), 1));

/** Returns local midnight of a day, or of the current day if it is invalid. */
function toDate(day: Day): Date {
  const now = new Date();
  return dateOfDay(day) ?? new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

export function suggestFirstHour(day: Day, now = Date.now()): Span | undefined {
  const start = toDate(day).setHours(9);
  return start > now ? { start, end: start + HOUR_MS } : undefined;
}

export function shownDays(view: View, day: Day): Day[] {
  const date = toDate(day);
  if (view === 'day') return [dayOfDate(date)];
  if (view === 'agenda') return daysFrom(date, AGENDA_DAYS);
  if (view === 'week') return daysFrom(startOfWeek(date), WEEK);
  const first = startOfWeek(startOfMonth(date));
  const last = startOfWeek(new Date(date.getFullYear(), date.getMonth() + 1, 0));
  const weeks = Math.round((Date.UTC(...toDateParts(last)) - Date.UTC(...toDateParts(first))) / (WEEK * DAY_MS)) + 1;
  return daysFrom(first, weeks * WEEK);
}

const toDateParts = (date: Date): [number, number, number] => [date.getFullYear(), date.getMonth(), date.getDate()];

export function toRange(days: readonly Day[]): { from: string; to: string } {
  const first = days[0] ?? '';
  const last = days.at(-1) ?? first;
  return { from: toDate(first).toISOString(), to: plusDays(toDate(last), 1).toISOString() };
}

/** Returns the same day in the next or previous view, clamped to the end of shorter months. */
export function shiftDay(view: View, day: Day, by: 1 | -1): Day {
  const date = toDate(day);
  if (view !== 'month')
    return dayOfDate(plusDays(date, by * (view === 'day' ? 1 : view === 'week' ? WEEK : AGENDA_DAYS)));
  const last = new Date(date.getFullYear(), date.getMonth() + by + 1, 0).getDate();
  return dayOfDate(new Date(date.getFullYear(), date.getMonth() + by, Math.min(date.getDate(), last)));
}

/** Returns 'November 2026', 'Nov 22 – 28, 2026', 'Tuesday, November 24, 2026', or, if short, 'Tue, Nov 24'. */
export function rangeLabel(view: View, day: Day, isShort = false): string {
  const date = toDate(day);
  if (view === 'month') return formatTime(date, { month: 'long', year: 'numeric' });
  if (view === 'day' && isShort) return formatTime(date, { weekday: 'short', day: 'numeric', month: 'short' });
  if (view === 'day') return formatTime(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const days = shownDays(view, day);
  return formatDayRange(toDate(days[0] ?? day), toDate(days.at(-1) ?? day));
}
