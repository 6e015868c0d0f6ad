import { z } from 'zod';
import { listUpTo } from './fields.ts';

export const frequency = z.enum(['daily', 'weekly', 'monthly'], {
  error: 'Frequency is required for recurring meetings',
});
export type Frequency = z.infer<typeof frequency>;

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const weekday = z.enum(WEEKDAYS, { error: 'Unknown weekday' });
export type Weekday = z.infer<typeof weekday>;

export const monthlyOn = z.enum(['date', 'lastDay', 'weekday', 'lastWeekday'], {
  error: 'Unknown day of the month',
});
export type MonthlyOn = z.infer<typeof monthlyOn>;

export const MAX_INTERVAL = 99;
const INTERVAL_ERROR = `Interval must be a whole number from 1 to ${MAX_INTERVAL}`;

/** How a series repeats within its frequency. */
export const recurrence = z.object({
  interval: z.int().describe('Number of days, weeks, or months from one period to the next; weeks begin on Monday'),
  weekdays: z
    .array(weekday)
    .describe('Of a weekly series, in the order of the week; empty for the weekday of its first meeting'),
  monthlyOn: monthlyOn.describe(
    'Of a monthly series: the day of the month of its first meeting (months without it are skipped), the last day, ' +
      'or the same weekday of the month, such as the third or the last Friday',
  ),
});
export type Recurrence = z.infer<typeof recurrence>;

export const EVERY_PERIOD: Recurrence = { interval: 1, weekdays: [], monthlyOn: 'date' };

/** A recurrence in a request. Parts that do not apply to the frequency are ignored. */
export const recurrenceInput = z.object({
  interval: z.int(INTERVAL_ERROR).min(1, INTERVAL_ERROR).max(MAX_INTERVAL, INTERVAL_ERROR).default(1),
  weekdays: listUpTo(7, z.array(weekday), 'A week has seven days').default([]),
  monthlyOn: monthlyOn.default('date'),
});

/** A recurrence with its frequency, as RFC 5545, section 3.3.10, has them in one value. */
export type Rule = Recurrence & { frequency: Frequency };

/** The rule of a series in events. `until` is its last day in its time zone, YYYY-MM-DD, inclusive. */
export const seriesRule = z.object({
  frequency,
  interval: z.int().default(1),
  weekdays: z.array(weekday).default([]),
  monthlyOn: monthlyOn.default('date'),
  until: z.string().nullable(),
});
export type SeriesRule = z.output<typeof seriesRule>;

/** A calendar day, YYYY-MM-DD. */
type Day = string;

const dateOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);
const dayOfMonth = (day: Day): number => dateOf(day).getUTCDate();

export const weekdayOf = (day: Day): Weekday => WEEKDAYS[(dateOf(day).getUTCDay() + 6) % 7] ?? 'mon';

const daysInMonth = (day: Day): number => {
  const date = dateOf(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
};

/** 1 for the first Monday, Tuesday, … of its month, up to 5. */
export const weekOfMonth = (day: Day): number => Math.ceil(dayOfMonth(day) / 7);
export const isLastDayOfMonth = (day: Day): boolean => dayOfMonth(day) === daysInMonth(day);
export const isLastWeekdayOfMonth = (day: Day): boolean => dayOfMonth(day) + 7 > daysInMonth(day);

/** The calendar day of a timestamp in a time zone. */
export function dayInZone(time: string, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(time));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/**
 * One form for each rule that starts on `day`, so that equal rules compare equal: without parts that do not apply, and without a weekday
 * that the start implies. Not every month has a fifth weekday: it counts as the last.
 */
export function normalizeRule({ frequency, interval, ...given }: Rule, day: Day): Rule {
  const weekdays = frequency === 'weekly' ? WEEKDAYS.filter((one) => given.weekdays.includes(one)) : [];
  const isImplied = weekdays.length === 1 && weekdays[0] === weekdayOf(day);
  const isFifth = given.monthlyOn === 'weekday' && weekOfMonth(day) === 5;
  const monthly = isFifth ? 'lastWeekday' : given.monthlyOn;
  return {
    frequency,
    interval,
    weekdays: isImplied ? [] : weekdays,
    monthlyOn: frequency === 'monthly' ? monthly : 'date',
  };
}

/** Why a series with this rule cannot start on `day`; undefined if it can. */
export function startError({ frequency, weekdays, monthlyOn: on }: Rule, day: Day): string | undefined {
  if (frequency === 'weekly' && weekdays.length > 0 && !weekdays.includes(weekdayOf(day))) return NOT_ON_WEEKDAY;
  if (frequency !== 'monthly') return undefined;
  if (on === 'lastDay' && !isLastDayOfMonth(day)) return NOT_ON_LAST_DAY;
  return on === 'lastWeekday' && !isLastWeekdayOfMonth(day) ? NOT_IN_LAST_WEEK : undefined;
}

const NOT_ON_WEEKDAY = 'The meeting must be on one of the selected weekdays';
const NOT_ON_LAST_DAY = 'The meeting must be on the last day of a month';
const NOT_IN_LAST_WEEK = 'The meeting must be in the last seven days of a month';
export const START_ERRORS = [NOT_ON_WEEKDAY, NOT_ON_LAST_DAY, NOT_IN_LAST_WEEK];
