import { type Frequency, getWeekday, type Rule, WEEKDAYS, weekOfMonth } from '@atrium/proto-events/recurrence/rule';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { localDay, localTime, zoned } from './local-time.ts';

/** A rule with its first start. All starts have the same local time in the zone. */
export type Pattern = Rule & {
  first: Date;
  timezone: string;
  /** Inclusive, YYYY-MM-DD; null for a series without an end. */
  lastDay: string | null;
};

/**
 * Maximum average of days between starts, for interval 1: a rule for February 29 every 12 months starts every four
 * years.
 */
const PERIOD_DAYS = { daily: 1.1, weekly: 7.5, monthly: 122 };
/** Consecutive periods in which clock changes may skip every start. */
const SPARE_PERIODS = 10;
const MAX_PERIOD_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Finds the starts after `after` (exclusive; from the first if undefined) up to `until`, at most `max`, and whether
 * none follow. As in RFC 5545, days that a month lacks and local times that clocks skip are left out.
 */
export function findStarts(
  pattern: Pattern,
  { after, until, max }: { after?: Date | undefined; until: Date; max: number },
): { starts: Date[]; complete: boolean } {
  const from = after ?? pattern.first;
  const end = pattern.lastDay === null ? Number.POSITIVE_INFINITY : endOfDay(pattern.lastDay, pattern.timezone);
  // Limits the search as well: `until` and the end of a rule may be a thousand years away.
  const searchMs = (max + SPARE_PERIODS) * PERIOD_DAYS[pattern.frequency] * pattern.interval * DAY_MS;
  const searchEnd = Math.min(until.getTime(), end, from.getTime() + searchMs);
  const rule = new RRuleTemporal({
    ...toRuleParts(pattern),
    dtstart: zoned(pattern.first, pattern.timezone),
    maxIterations: 100_000,
    cache: false,
  });
  const matches = rule
    .between(from, new Date(searchEnd), after === undefined)
    .map(({ epochMilliseconds }) => new Date(epochMilliseconds));
  const starts = matches.slice(0, max);
  return { starts, complete: searchEnd === end && starts.length === matches.length };
}

const FREQ = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY' } as const;

function toRuleParts({ frequency, interval, weekdays, monthlyOn, first, timezone }: Pattern) {
  const day = localDay(first, timezone);
  const parts = { freq: FREQ[frequency], interval, wkst: 'MO' } as const;
  if (frequency === 'weekly' && weekdays.length > 0) return { ...parts, byDay: weekdays.map(toByDay) };
  if (frequency !== 'monthly' || monthlyOn === 'date') return parts;
  if (monthlyOn === 'lastDay') return { ...parts, byMonthDay: [-1] };
  const week = monthlyOn === 'lastWeekday' ? -1 : weekOfMonth(day);
  return { ...parts, byDay: [`${week}${toByDay(getWeekday(day))}`] };
}

const toByDay = (weekday: string) => weekday.slice(0, 2).toUpperCase();

/**
 * Returns the position of a start in the rule, counted from the day, week, or month of `first`. It stays the same when
 * a series moves. In a week with several weekdays, the first of them has position 0, even if `first` is on a later one.
 */
export function getPosition(
  { frequency, interval, weekdays, first, timezone }: Omit<Pattern, 'lastDay' | 'monthlyOn'>,
  start: Date,
): number {
  const day = zoned(start, timezone).toPlainDate();
  const periods = countPeriods(frequency, { day, anchor: zoned(first, timezone).toPlainDate() });
  if (frequency !== 'weekly') return periods;
  const index = Math.max(weekdays.indexOf(getWeekday(day.toString())), 0);
  return (periods / interval) * Math.max(weekdays.length, 1) + index;
}

/**
 * Whether two rules have the same number of starts in each of their periods, so that the n-th start of one corresponds
 * to the n-th of the other.
 */
export const hasSameCadence = (a: Rule, b: Rule): boolean =>
  a.frequency === b.frequency &&
  a.interval === b.interval &&
  Math.max(a.weekdays.length, 1) === Math.max(b.weekdays.length, 1);

type Move = { from: Date; to: Date; newTimezone: string; newRule: Rule };

/**
 * Returns the new start of a series of which one occurrence moves from `from` to `to`: shifted by the same distance, at
 * the new time of day. Rules with several weekdays shift by starts and monthly rules by months; `alignFirst` then finds
 * the exact day. The result is a local time; it may not exist on that day because of a clock change.
 */
export function moveFirst(
  { first, timezone, ...rule }: Omit<Pattern, 'lastDay'>,
  { from, to, newTimezone, newRule }: Move,
): Temporal.PlainDateTime {
  const target = localTime(to, newTimezone);
  if (first.getTime() === from.getTime()) return target;
  const oldDay = zoned(from, timezone).toPlainDate();
  const firstDay = zoned(first, timezone).toPlainDate();
  const findDay = () => {
    if (newRule.frequency === 'monthly' && rule.frequency === 'monthly')
      return target
        .toPlainDate()
        .with({ day: 1 })
        .add({ months: countPeriods('monthly', { day: firstDay, anchor: oldDay }) });
    if (newRule.frequency !== 'weekly' || !hasSameCadence(rule, newRule))
      return firstDay.add(oldDay.until(target.toPlainDate()));
    const pattern = { ...rule, first: from, timezone };
    const offset = getPosition(pattern, first) - getPosition(pattern, from);
    return findWeeklyStart(newRule, { anchor: target.toPlainDate(), offset });
  };
  const start = findDay().toPlainDateTime(target.toPlainTime());
  return Temporal.PlainDateTime.compare(start, target) > 0 ? target : start;
}

/** Returns the day of a weekly rule that is `offset` starts after `anchor`, or before it if negative. */
function findWeeklyStart(
  { weekdays, interval }: Rule,
  { anchor, offset }: { anchor: Temporal.PlainDate; offset: number },
): Temporal.PlainDate {
  const selected = weekdays.length > 0 ? weekdays : [getWeekday(anchor.toString())];
  const position = Math.max(selected.indexOf(getWeekday(anchor.toString())), 0) + offset;
  const periods = Math.floor(position / selected.length);
  const weekday = selected[position - periods * selected.length] ?? 'mon';
  return getMonday(anchor).add({ days: periods * interval * 7 + WEEKDAYS.indexOf(weekday) });
}

/**
 * Returns the first start of a rule on or after `first`. `anchor` is a start of the same series, which fixes its
 * periods. Returns undefined if the clocks skip every start nearby.
 */
export function alignFirst(
  rule: Rule & { timezone: string },
  { first, anchor }: { first: Temporal.PlainDateTime; anchor: Date },
): Date | undefined {
  const anchorDay = zoned(anchor, rule.timezone).toPlainDate();
  const isStart = (at: Temporal.PlainDateTime) =>
    isDayOfRule(rule, { day: at.toPlainDate(), anchor: anchorDay }) &&
    at.toZonedDateTime(rule.timezone).toPlainDateTime().equals(at);
  const daysToAnchor = Math.max(first.toPlainDate().until(anchorDay, { largestUnit: 'days' }).days, 0);
  const maxDays = daysToAnchor + SPARE_PERIODS * MAX_PERIOD_DAYS * rule.interval;
  let days = 0;
  while (days <= maxDays && !isStart(first.add({ days }))) days += 1;
  if (days > maxDays) return undefined;
  return new Date(first.add({ days }).toZonedDateTime(rule.timezone).epochMilliseconds);
}

function endOfDay(day: string, timezone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds - 1;
}

type Days = { day: Temporal.PlainDate; anchor: Temporal.PlainDate };

/** Whether the rule has a start on `day`. `anchor` must be a start if the rule takes its weekday or date from it. */
function isDayOfRule(rule: Rule, days: Days): boolean {
  return countPeriods(rule.frequency, days) % rule.interval === 0 && isDayOfPeriod(rule, days);
}

/** Counts the days, weeks, or months from `anchor` to `day`. Weeks start on Monday. */
function countPeriods(frequency: Frequency, { day, anchor }: Days): number {
  if (frequency === 'daily') return anchor.until(day, { largestUnit: 'days' }).days;
  if (frequency === 'monthly') return (day.year - anchor.year) * 12 + day.month - anchor.month;
  return getMonday(anchor).until(getMonday(day), { largestUnit: 'days' }).days / 7;
}

const getMonday = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 });

function isDayOfPeriod({ frequency, weekdays, monthlyOn }: Rule, { day, anchor }: Days): boolean {
  if (frequency === 'daily') return true;
  if (frequency === 'weekly')
    return weekdays.length > 0 ? weekdays.includes(getWeekday(day.toString())) : day.dayOfWeek === anchor.dayOfWeek;
  if (monthlyOn === 'date') return day.day === anchor.day;
  if (monthlyOn === 'lastDay') return day.day === day.daysInMonth;
  if (day.dayOfWeek !== anchor.dayOfWeek) return false;
  return monthlyOn === 'lastWeekday' ? day.day + 7 > day.daysInMonth : getWeekOfMonth(day) === getWeekOfMonth(anchor);
}

/** Returns 1 for the first of its weekday in a month, up to 5. */
const getWeekOfMonth = ({ day }: Temporal.PlainDate) => Math.ceil(day / 7);
