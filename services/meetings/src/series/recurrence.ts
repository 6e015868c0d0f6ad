import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';

/** When a series takes place: at the same local time in its zone, whatever daylight saving does. `lastDay` is inclusive. */
export type Pattern = {
  frequency: 'daily' | 'weekly' | 'monthly';
  first: Date;
  timezone: string;
  lastDay: string | null;
};

/** Days in which a rule surely comes round again on average, also where it leaves out turns. */
const PERIOD_DAYS = { daily: 1.1, weekly: 7.5, monthly: 62 };
const DAY_MS = 86_400_000;

/**
 * The starts from `after` (exclusive; from the first one when undefined) to `until`, at most `max`, and whether the rule gives none
 * beyond. As in RFC 5545 a day that a month lacks, or a time that the clocks skip, is left out: what invitations tell calendars.
 */
export function startsOf(
  pattern: Pattern,
  { after, until, max }: { after?: Date | undefined; until: Date; max: number },
): { starts: Date[]; complete: boolean } {
  const from = after ?? pattern.first;
  const end = pattern.lastDay === null ? Number.POSITIVE_INFINITY : endOfDay(pattern.lastDay, pattern.timezone);
  // Bounds the search too: a rule may end in a thousand years.
  const reach = Math.min(until.getTime(), end, from.getTime() + (max + 5) * PERIOD_DAYS[pattern.frequency] * DAY_MS);
  const rule = new RRuleTemporal({
    freq: FREQ[pattern.frequency],
    dtstart: zoned(pattern.first, pattern.timezone),
    maxIterations: 100_000,
    cache: false,
  });
  const found = rule
    .between(from, new Date(reach), after === undefined)
    .map(({ epochMilliseconds }) => new Date(epochMilliseconds));
  const starts = found.slice(0, max);
  return { starts, complete: reach === end && starts.length === found.length };
}

const FREQ = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY' } as const;

/** Which turn of the rule a start is, counted in days or months from the first: what stays when a series moves. */
export function slotOf({ frequency, first, timezone }: Omit<Pattern, 'lastDay'>, start: Date): number {
  const from = zoned(first, timezone).toPlainDate();
  const at = zoned(start, timezone).toPlainDate();
  if (frequency === 'monthly') return (at.year - from.year) * 12 + at.month - from.month;
  return from.until(at, { largestUnit: 'days' }).days;
}

/** Where a series begins anew when one of its occurrences moves from `from` to `to`: as many days on, at the new time of day. */
export function moveFirst(
  { first, timezone }: Pick<Pattern, 'first' | 'timezone'>,
  { from, to, newTimezone }: { from: Date; to: Date; newTimezone: string },
): Date {
  if (first.getTime() === from.getTime()) return byTheClock(to, newTimezone);
  const target = zoned(to, newTimezone).toPlainDateTime();
  const { days } = zoned(from, timezone).toPlainDate().until(target.toPlainDate(), { largestUnit: 'days' });
  const day = zoned(first, timezone).toPlainDate().add({ days });
  return new Date(day.toPlainDateTime(target.toPlainTime()).toZonedDateTime(newTimezone).epochMilliseconds);
}

/** The moment that a rule means by the time which the clock shows at this one: where it shows that twice the first (RFC 5545, section 3.3.5). */
export function byTheClock(at: Date, timezone: string): Date {
  const clock = zoned(at, timezone).toPlainDateTime();
  return new Date(clock.toZonedDateTime(timezone, { disambiguation: 'earlier' }).epochMilliseconds);
}

/** The local day of an instant, YYYY-MM-DD; `offset` days later or earlier. */
export function localDay(at: Date, timezone: string, offset = 0): string {
  return zoned(at, timezone).toPlainDate().add({ days: offset }).toString();
}

/** The first moment of a local day and of the next. */
export function dayRange(at: Date, timezone: string): { from: Date; to: Date } {
  const day = zoned(at, timezone).toPlainDate();
  const start = (date: Temporal.PlainDate) => new Date(date.toZonedDateTime(timezone).epochMilliseconds);
  return { from: start(day), to: start(day.add({ days: 1 })) };
}

function endOfDay(day: string, timezone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds - 1;
}

const zoned = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
