import { chosenConventions, type DateConventions, type HourCycle } from './date-preferences.ts';

type Time = Date | number | string;
type Options = Readonly<Intl.DateTimeFormatOptions>;
type Part = Intl.DateTimeFormatPart;

type RangeOptions = { separator?: string; timeZone?: string };

const RANGE = ' – ';
const HALF_OF_DAY = / [AP]M$/;

/** Creates each `Intl` formatter only once, because creating one takes a hundred times as long as using it. */
export function createFormats(conventions: DateConventions) {
  const { order, hourCycle } = conventions;
  const formatters = new Map<string, Intl.DateTimeFormat>();

  const formatParts = (date: Date, options: Options): Part[] => {
    // A formatter keeps the time zone it was created in; with the offset in the key, a user who travels gets another.
    const key = `${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
    const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-US', withHourCycle(options, hourCycle));
    formatters.set(key, formatter);
    return formatter.formatToParts(date);
  };

  /**
   * Formats a time in English; empty for an invalid time. Throws a RangeError for a time zone unknown to this browser.
   */
  const formatTime = (time: Time | undefined, options: Options): string => {
    const date = validDate(time);
    return date ? arrange(formatParts(date, options), order) : '';
  };

  /** Returns the parts of a time in American order; empty for an invalid time. */
  const timeParts = (time: Time, options: Options): Part[] => {
    const date = validDate(time);
    return date ? formatParts(date, options) : [];
  };

  /** Formats the times of day of two instants: '4:30 – 5:30 AM', '11:30 AM – 12:30 PM', or '04:30 – 05:30'. */
  const formatTimeRange = (start: Time, end: Time, { separator = RANGE, ...zone }: RangeOptions = {}): string => {
    const options = { hour: 'numeric', minute: '2-digit', ...zone } as const;
    const from = formatTime(start, options);
    const to = formatTime(end, options);
    const half = HALF_OF_DAY.exec(to)?.[0];
    return `${half && from.endsWith(half) ? from.slice(0, -half.length) : from}${separator}${to}`;
  };

  /** Formats a range of days: 'Nov 22 – 28, 2026', '22 – 28 Nov 2026', or '2026 Nov 22 – 28'. */
  const formatDayRange = (first: Date, last: Date): string => {
    const isSameYear = first.getFullYear() === last.getFullYear();
    const fullDate = { day: 'numeric', month: 'short', year: 'numeric' } as const;
    if (!isSameYear) return `${formatTime(first, fullDate)}${RANGE}${formatTime(last, fullDate)}`;
    const isSameMonth = first.getMonth() === last.getMonth();
    const date = (day: Date) => formatTime(day, { day: 'numeric', month: 'short' });
    const dayAlone = (day: Date) => String(day.getDate());
    const from = isSameMonth && order === 'day-first' ? dayAlone(first) : date(first);
    const to = isSameMonth && order !== 'day-first' ? dayAlone(last) : date(last);
    return withYear(`${from}${RANGE}${to}`, String(first.getFullYear()), order);
  };

  return { formatTime, timeParts, formatTimeRange, formatDayRange };
}

export const { formatTime, timeParts, formatTimeRange, formatDayRange } = createFormats(chosenConventions());

const conjunction = new Intl.ListFormat('en-US');

/** 'one', 'one and two', or 'one, two, and three'. */
export const formatList = (words: readonly string[]): string => conjunction.format(words);

/** `Intl` ignores the hour cycle unless it formats a time of day. */
const withHourCycle = (options: Options, hourCycle: HourCycle): Options => ({ ...options, hourCycle });

const DATE_PARTS: readonly string[] = ['weekday', 'year', 'month', 'day'];

/** Reorders the parts of an American date: 'Fri, 20 Nov 2026, 14:05' or 'Fri, 2026 Nov 20, 14:05'. */
function arrange(parts: readonly Part[], order: DateConventions['order']): string {
  const value = (name: string) => parts.find(({ type }) => type === name)?.value;
  // Contains plain spaces: browsers put a narrow one before AM and PM, which the fonts lack.
  if (order === 'month-first') return joinParts(parts);
  const [weekday, year, month, day] = DATE_PARTS.map(value);
  const dayAndMonth = (order === 'day-first' ? [day, month] : [month, day]).filter(Boolean).join(' ');
  const date = year ? withYear(dayAndMonth, year, order) : dayAndMonth;
  const clock = parts.findIndex(({ type }) => type === 'hour');
  const time = clock === -1 ? undefined : joinParts(parts.slice(clock));
  // In American English, a weekday directly before a time takes no comma.
  const isBareWeekday = date === '' && time !== undefined;
  return [weekday, date, time].filter(Boolean).join(isBareWeekday ? ' ' : ', ');
}

const joinParts = (parts: readonly Part[]) =>
  parts
    .map(({ value }) => value)
    .join('')
    .replaceAll('\u202f', ' ');

function withYear(dayAndMonth: string, year: string, order: DateConventions['order']): string {
  if (order === 'month-first') return `${dayAndMonth}, ${year}`;
  const parts = order === 'day-first' ? [dayAndMonth, year] : [year, dayAndMonth];
  return parts.filter(Boolean).join(' ');
}

function validDate(time: Time | undefined): Date | undefined {
  const date = time === undefined ? undefined : new Date(time);
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}
