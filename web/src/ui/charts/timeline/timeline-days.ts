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

/** The days that a timeline shows: all bars and today, with a margin. */
export function rangeOf(spans: readonly Span[], today: Day): Span {
  const days = [today, ...spans.flatMap(({ first, last }) => [first, last])].sort();
  return { first: shiftDay(days[0] ?? today, -MARGIN_DAYS), last: shiftDay(days.at(-1) ?? today, MARGIN_DAYS) };
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
