import { type Day, dateOfDay, dayOfDate, storedDay } from '#lib/time/day.ts';
import { formatDayRange, formatTime } from '#lib/time/formats.ts';
import { plusDays, startOfWeek } from '#lib/time/weeks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const dayNumber = (day: Day): number => Math.round(Date.parse(day) / DAY_MS);

const toDay = (number: number): Day => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The first and the last day of a bar. */
export type Span = { first: Day; last: Day };

/** An item with one date is a bar of one day; undefined without a date. */
export function spanOf(start: string | null, end: string | null): Span | undefined {
  const days = [storedDay(start ?? end), storedDay(end ?? start)].sort();
  const [first, last] = days;
  return first && last ? { first, last } : undefined;
}

export const bySpan = (a: { span: Span }, b: { span: Span }): number =>
  a.span.first.localeCompare(b.span.first) || a.span.last.localeCompare(b.span.last);

export const daysFrom = (start: Day, day: Day): number => dayNumber(day) - dayNumber(start);

export const shiftDay = (day: Day, days: number): Day => toDay(dayNumber(day) + days);

export const shiftSpan = ({ first, last }: Span, days: number): Span => ({
  first: shiftDay(first, days),
  last: shiftDay(last, days),
});

/** The changes of an item that move its dates by some days. A date that it lacks stays absent. */
export function shiftDates<Name extends string>(
  dates: Readonly<Record<Name, string | null>>,
  days: number,
): Partial<Record<Name, Day>> {
  const shifted: Partial<Record<Name, Day>> = {};
  for (const name of Object.keys(dates) as Name[]) {
    const date = dates[name];
    if (date !== null) shifted[name] = shiftDay(storedDay(date), days);
  }
  return shifted;
}

const MARGIN_DAYS = 7;

/** Dates that are further away, such as the year 9999 for "never", would make a timeline too long to draw. */
const MAX_DISTANCE_DAYS = 5 * 366;

/** The days that a timeline shows: all bars and today, with a margin, at most five years before and after today. */
export function rangeOf(spans: readonly Span[], today: Day): Span {
  const limits = { first: shiftDay(today, -MAX_DISTANCE_DAYS), last: shiftDay(today, MAX_DISTANCE_DAYS) };
  const days = [today, ...spans.flatMap((span) => Object.values(clipSpan(span, limits)))].sort();
  return { first: shiftDay(days[0] ?? today, -MARGIN_DAYS), last: shiftDay(days.at(-1) ?? today, MARGIN_DAYS) };
}

/** The part of a bar within a range, or the day of the range that is closest to it. */
export function clipSpan(span: Span, range: Span): Span {
  const clip = (day: Day): Day => (day < range.first ? range.first : day > range.last ? range.last : day);
  return { first: clip(span.first), last: clip(span.last) };
}

export type Unit = 'week' | 'month';

/** The first days of weeks or months within a range. */
export function listMarks({ first, last }: Span, unit: Unit, firstWeekday: number): Day[] {
  const marks: Day[] = [];
  let date = dateOfDay(first);
  while (date) {
    const begin = unit === 'week' ? startOfWeek(date, firstWeekday) : new Date(date.getFullYear(), date.getMonth(), 1);
    if (dayOfDate(begin) > last) break;
    if (dayOfDate(begin) >= first) marks.push(dayOfDate(begin));
    date = unit === 'week' ? plusDays(begin, 7) : new Date(begin.getFullYear(), begin.getMonth() + 1, 1);
  }
  return marks;
}

export function spanLabel({ first, last }: Span): string {
  const [from, to] = [dateOfDay(first), dateOfDay(last)];
  if (!from || !to) return '';
  return first === last
    ? formatTime(from, { day: 'numeric', month: 'short', year: 'numeric' })
    : formatDayRange(from, to);
}
