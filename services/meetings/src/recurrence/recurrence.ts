import { type Frequency, type Rule, WEEKDAYS, weekdayOf, weekOfMonth } from '@atrium/proto-events/recurrence';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { localDay, localTime, zoned } from './local-time.ts';

/** The same local time in its zone across clock changes. `lastDay` is inclusive. */
export type Pattern = Rule & {
  first: Date;
  timezone: string;
  lastDay: string | null;
};

/** Days between starts with interval 1, at most on average: a rule for 29 February every 12 months starts every four years. */
const PERIOD_DAYS = { daily: 1.1, weekly: 7.5, monthly: 122 };
/** Periods in a row that a change of clocks may take away from a rule with a long interval. */
const SPARE_PERIODS = 10;
const MAX_PERIOD_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Starts after `after` (exclusive; from the first if undefined) up to `until`, at most `max`, and whether none follow. Days a month lacks
 * and local times that clocks skip are left out, as in RFC 5545.
 */
export function startsOf(
  pattern: Pattern,
  { after, until, max }: { after?: Date | undefined; until: Date; max: number },
): { starts: Date[]; complete: boolean } {
  const from = after ?? pattern.first;
  const end = pattern.lastDay === null ? Number.POSITIVE_INFINITY : endOfDay(pattern.lastDay, pattern.timezone);
  // Bounds the search too: a rule may end in a thousand years.
  const searched = (max + SPARE_PERIODS) * PERIOD_DAYS[pattern.frequency] * pattern.interval * DAY_MS;
  const reach = Math.min(until.getTime(), end, from.getTime() + searched);
  const rule = new RRuleTemporal({
    ...ruleParts(pattern),
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

function ruleParts({ frequency, interval, weekdays, monthlyOn, first, timezone }: Pattern) {
  const day = localDay(first, timezone);
  const parts = { freq: FREQ[frequency], interval, wkst: 'MO' } as const;
  if (frequency === 'weekly' && weekdays.length > 0) return { ...parts, byDay: weekdays.map(twoLetters) };
  if (frequency !== 'monthly' || monthlyOn === 'date') return parts;
  if (monthlyOn === 'lastDay') return { ...parts, byMonthDay: [-1] };
  const week = monthlyOn === 'lastWeekday' ? -1 : weekOfMonth(day);
  return { ...parts, byDay: [`${week}${twoLetters(weekdayOf(day))}`] };
}

const twoLetters = (weekday: string) => weekday.slice(0, 2).toUpperCase();

/**
 * The position of a start in the rule, counted from the day, week, or month of `first`: what stays when a series moves. In a week with
 * several weekdays the first of them has position 0, whichever `first` is on.
 */
export function positionOf(
  { frequency, interval, weekdays, first, timezone }: Omit<Pattern, 'lastDay' | 'monthlyOn'>,
  start: Date,
): number {
  const day = zoned(start, timezone).toPlainDate();
  const periods = periodsBetween(frequency, { day, anchor: zoned(first, timezone).toPlainDate() });
  if (frequency !== 'weekly') return periods;
  const index = Math.max(weekdays.indexOf(weekdayOf(day.toString())), 0);
  return (periods / interval) * Math.max(weekdays.length, 1) + index;
}

/** Whether two rules have as many starts in each of their periods, so that the n-th of one corresponds to the n-th of the other. */
export const hasSameCadence = (a: Rule, b: Rule): boolean =>
  a.frequency === b.frequency &&
  a.interval === b.interval &&
  Math.max(a.weekdays.length, 1) === Math.max(b.weekdays.length, 1);

type Move = { from: Date; to: Date; newTimezone: string; newRule: Rule };

/**
 * The new start of a series if one occurrence moves from `from` to `to`: shifted by as much, at the new time of day. Rules with several
 * weekdays shift by starts, monthly ones by months, to the day for `alignFirst`. A local time, which the clocks may skip on that day.
 */
export function moveFirst(
  { first, timezone, ...rule }: Omit<Pattern, 'lastDay'>,
  { from, to, newTimezone, newRule }: Move,
): Temporal.PlainDateTime {
  const target = localTime(to, newTimezone);
  if (first.getTime() === from.getTime()) return target;
  const [before, pivot] = [zoned(from, timezone).toPlainDate(), zoned(first, timezone).toPlainDate()];
  const day = () => {
    if (newRule.frequency === 'monthly' && rule.frequency === 'monthly')
      return target
        .toPlainDate()
        .with({ day: 1 })
        .add({ months: periodsBetween('monthly', { day: pivot, anchor: before }) });
    if (newRule.frequency !== 'weekly' || !hasSameCadence(rule, newRule))
      return pivot.add(before.until(target.toPlainDate()));
    const position = (at: Date) => positionOf({ ...rule, first: from, timezone }, at);
    return weeklyStart(newRule, { anchor: target.toPlainDate(), offset: position(first) - position(from) });
  };
  const start = day().toPlainDateTime(target.toPlainTime());
  return Temporal.PlainDateTime.compare(start, target) > 0 ? target : start;
}

/** The day of a weekly rule that is `offset` starts after `anchor`, or before it if negative. */
function weeklyStart(
  { weekdays, interval }: Rule,
  { anchor, offset }: { anchor: Temporal.PlainDate; offset: number },
): Temporal.PlainDate {
  const selected = weekdays.length > 0 ? weekdays : [weekdayOf(anchor.toString())];
  const position = Math.max(selected.indexOf(weekdayOf(anchor.toString())), 0) + offset;
  const periods = Math.floor(position / selected.length);
  const weekday = selected[position - periods * selected.length] ?? 'mon';
  return mondayOf(anchor).add({ days: periods * interval * 7 + WEEKDAYS.indexOf(weekday) });
}

export function alignFirst(
  rule: Rule & { timezone: string },
  { first, anchor }: { first: Temporal.PlainDateTime; anchor: Date },
): Date | undefined {
  const anchorDay = zoned(anchor, rule.timezone).toPlainDate();
  const isStart = (at: Temporal.PlainDateTime) =>
    isDayOfRule(rule, { day: at.toPlainDate(), anchor: anchorDay }) &&
    at.toZonedDateTime(rule.timezone).toPlainDateTime().equals(at);
  const ahead = Math.max(first.toPlainDate().until(anchorDay, { largestUnit: 'days' }).days, 0);
  const searched = ahead + SPARE_PERIODS * MAX_PERIOD_DAYS * rule.interval;
  let days = 0;
  while (days <= searched && !isStart(first.add({ days }))) days += 1;
  if (days > searched) return undefined;
  return new Date(first.add({ days }).toZonedDateTime(rule.timezone).epochMilliseconds);
}

function endOfDay(day: string, timezone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds - 1;
}

type Days = { day: Temporal.PlainDate; anchor: Temporal.PlainDate };

/** Whether a rule has a start on `day` if `anchor` is in one of its periods (and, if it takes its weekday or date from it, on it). */
function isDayOfRule(rule: Rule, days: Days): boolean {
  return periodsBetween(rule.frequency, days) % rule.interval === 0 && isDayOfPeriod(rule, days);
}

/** Weeks start on Monday. */
function periodsBetween(frequency: Frequency, { day, anchor }: Days): number {
  if (frequency === 'daily') return anchor.until(day, { largestUnit: 'days' }).days;
  if (frequency === 'monthly') return (day.year - anchor.year) * 12 + day.month - anchor.month;
  return mondayOf(anchor).until(mondayOf(day), { largestUnit: 'days' }).days / 7;
}

const mondayOf = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 });

function isDayOfPeriod({ frequency, weekdays, monthlyOn }: Rule, { day, anchor }: Days): boolean {
  if (frequency === 'daily') return true;
  if (frequency === 'weekly')
    return weekdays.length > 0 ? weekdays.includes(weekdayOf(day.toString())) : day.dayOfWeek === anchor.dayOfWeek;
  if (monthlyOn === 'date') return day.day === anchor.day;
  if (monthlyOn === 'lastDay') return day.day === day.daysInMonth;
  if (day.dayOfWeek !== anchor.dayOfWeek) return false;
  return monthlyOn === 'lastWeekday' ? day.day + 7 > day.daysInMonth : weekOf(day) === weekOf(anchor);
}

/** 1 for the first of its weekday in a month, up to 5. */
const weekOf = ({ day }: Temporal.PlainDate) => Math.ceil(day / 7);
