import { z } from 'zod';
import { boundedArray } from '../fields.ts';
import { FREQUENCIES, MAX_INTERVAL, MONTHLY_ON, WEEKDAYS } from './rule.ts';

// This module is separate from `rule.ts`, so that screens that only show a rule do not load the schema library.

export const frequency = z.enum(FREQUENCIES, { error: 'Frequency is required for recurring meetings' });
const weekday = z.enum(WEEKDAYS, { error: 'Unknown weekday' });
const monthlyOn = z.enum(MONTHLY_ON, { error: 'Unknown day of the month' });

const INTERVAL_ERROR = `Interval must be a whole number from 1 to ${MAX_INTERVAL}`;

export const recurrence = z.object({
  interval: z.int().describe('Number of days, weeks, or months from one period to the next; weeks begin on Monday'),
  weekdays: z
    .array(weekday)
    .describe('For a weekly series, in weekday order; empty for the weekday of its first meeting'),
  monthlyOn: monthlyOn.describe(
    'Of a monthly series: the day of the month of its first meeting (months without it are skipped), the last day, ' +
      'or the same weekday of the month, such as the third or the last Friday',
  ),
});

/** A recurrence in a request. Parts that do not apply to the frequency are ignored. */
export const recurrenceInput = z.object({
  interval: z.int(INTERVAL_ERROR).min(1, INTERVAL_ERROR).max(MAX_INTERVAL, INTERVAL_ERROR).default(1),
  weekdays: boundedArray(7, z.array(weekday), 'A week has seven days').default([]),
  monthlyOn: monthlyOn
    .default('date')
    .describe(
      'For a monthly series. `weekday` on a fifth weekday of a month is stored as `lastWeekday`, since most months have no fifth',
    ),
});

/** The rule of a series in events. `until` is its last day in its time zone, YYYY-MM-DD, inclusive. */
export const seriesRule = z.object({
  frequency,
  interval: z.int().default(1),
  weekdays: z.array(weekday).default([]),
  monthlyOn: monthlyOn.default('date'),
  until: z.string().nullable(),
});
