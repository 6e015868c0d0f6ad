export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** How a monthly series derives its day from the first meeting. */
export const MONTHLY_ON = ['date', 'lastDay', 'weekday', 'lastWeekday'] as const;
export type MonthlyOn = (typeof MONTHLY_ON)[number];

export const MAX_INTERVAL = 99;

/** Recurrence of a series within its frequency. */
export type Recurrence = { interval: number; weekdays: Weekday[]; monthlyOn: MonthlyOn };

export const DEFAULT_RECURRENCE: Recurrence = { interval: 1, weekdays: [], monthlyOn: 'date' };

/** A recurrence with its frequency, as in an RRULE (RFC 5545, section 3.3.10). */
export type Rule = Recurrence & { frequency: Frequency };

/** The rule of a series in events. `until` is its last day in its time zone, YYYY-MM-DD, inclusive. */
export type SeriesRule = Rule & { until: string | null };

/** A calendar day, YYYY-MM-DD. */
type Day = string;

const toDate = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);
const dayOfMonth = (day: Day): number => toDate(day).getUTCDate();

export const getWeekday = (day: Day): Weekday => WEEKDAYS[(toDate(day).getUTCDay() + 6) % 7] ?? 'mon';

const daysInMonth = (day: Day): number => {
  const date = toDate(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
};

/** Returns 1 for the first Monday, Tuesday, … of its month, up to 5. */
export const weekOfMonth = (day: Day): number => Math.ceil(dayOfMonth(day) / 7);
const isLastDayOfMonth = (day: Day): boolean => dayOfMonth(day) === daysInMonth(day);
export const isLastWeekdayOfMonth = (day: Day): boolean => dayOfMonth(day) + 7 > daysInMonth(day);

/**
 * Returns the canonical form of a rule that starts on `day`, so that equal rules compare equal: without inapplicable
 * parts, and without a weekday that the start implies. A fifth weekday counts as the last, since not every month has
 * one.
 */
export function normalizeRule({ frequency, interval, ...rule }: Rule, day: Day): Rule {
  const weekdays = frequency === 'weekly' ? WEEKDAYS.filter((weekday) => rule.weekdays.includes(weekday)) : [];
  const isImplied = weekdays.length === 1 && weekdays[0] === getWeekday(day);
  const isFifth = rule.monthlyOn === 'weekday' && weekOfMonth(day) === 5;
  const normalizedMonthlyOn = isFifth ? 'lastWeekday' : rule.monthlyOn;
  return {
    frequency,
    interval,
    weekdays: isImplied ? [] : weekdays,
    monthlyOn: frequency === 'monthly' ? normalizedMonthlyOn : 'date',
  };
}

/** Returns why a series with this rule cannot start on `day`; undefined if it can. */
export function startError({ frequency, weekdays, monthlyOn: on }: Rule, day: Day): string | undefined {
  if (frequency === 'weekly' && weekdays.length > 0 && !weekdays.includes(getWeekday(day))) return NOT_ON_WEEKDAY;
  if (frequency !== 'monthly') return undefined;
  if (on === 'lastDay' && !isLastDayOfMonth(day)) return NOT_ON_LAST_DAY;
  return on === 'lastWeekday' && !isLastWeekdayOfMonth(day) ? NOT_IN_LAST_WEEK : undefined;
}

const NOT_ON_WEEKDAY = 'The meeting must be on one of the selected weekdays';
const NOT_ON_LAST_DAY = 'The meeting must be on the last day of a month';
const NOT_IN_LAST_WEEK = 'The meeting must be in the last seven days of a month';
export const START_ERRORS = [NOT_ON_WEEKDAY, NOT_ON_LAST_DAY, NOT_IN_LAST_WEEK];

export const SELECT_WEEKDAYS = 'Select the weekdays again to move this series to another day of the week';
export const NO_MEETINGS = 'This series would have no meetings: clocks skip its time on every date';
