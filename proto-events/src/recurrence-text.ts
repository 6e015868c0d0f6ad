import {
  dayInZone,
  type Frequency,
  type MonthlyOn,
  type Rule,
  WEEKDAYS,
  type Weekday,
  weekdayOf,
  weekOfMonth,
} from './recurrence.ts';

const UNITS: Record<Frequency, string> = { daily: 'day', weekly: 'week', monthly: 'month' };

export const WEEKDAY_NAMES: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const WEEK_NAMES = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Day of a meeting of the series in the series' time zone, YYYY-MM-DD; and that zone if the reader's day differs. */
type SeriesDay = { day: string; otherZone?: string | undefined };

export function seriesDay(
  { startTime, timezone }: { startTime: string; timezone: string },
  readerZone: string,
): SeriesDay {
  const day = dayInZone(startTime, timezone);
  return { day, otherZone: dayInZone(startTime, readerZone) === day ? undefined : timezone.replaceAll('_', ' ') };
}

/** "every 2 weeks on Monday and Friday", "every month on the last day". */
export function recurrenceText(rule: Rule, { day, otherZone }: SeriesDay): string {
  const text = ruleText(rule, day);
  const namesDays = rule.frequency === 'monthly' || rule.weekdays.length > 0;
  return otherZone !== undefined && namesDays ? `${text} in ${otherZone}` : text;
}

function ruleText(rule: Rule, day: string): string {
  const { frequency, interval } = rule;
  if (isEveryWorkday(rule)) return 'every weekday';
  const every = interval === 1 ? `every ${UNITS[frequency]}` : `every ${interval} ${UNITS[frequency]}s`;
  if (frequency === 'weekly' && rule.weekdays.length > 0)
    return `${every} on ${joinList(rule.weekdays.map((weekday) => WEEKDAY_NAMES[weekday]))}`;
  if (frequency !== 'monthly') return every;
  const skipped = rule.monthlyOn === 'date' ? skippedMonthsText(day) : undefined;
  return `${every} on ${monthlyOnText(rule.monthlyOn, day)}${skipped ? ` (${skipped})` : ''}`;
}

const isEveryWorkday = ({ frequency, interval, weekdays: days }: Rule) =>
  frequency === 'weekly' && interval === 1 && days.join() === WEEKDAYS.slice(0, 5).join();

/** "the 31st", "the last day", "the third Friday", "the last Friday". */
export function monthlyOnText(on: MonthlyOn, day: string): string {
  if (on === 'lastDay') return 'the last day';
  if (on === 'date') return `the ${ordinal(dayOfMonth(day))}`;
  const week = on === 'lastWeekday' ? 'last' : WEEK_NAMES[weekOfMonth(day) - 1];
  return `the ${week} ${WEEKDAY_NAMES[weekdayOf(day)]}`;
}

/** Which months a rule for this day of the month skips (RFC 5545, section 3.3.10); undefined if none. */
export function skippedMonthsText(day: string): string | undefined {
  const date = dayOfMonth(day);
  return date > 28 ? `months without a ${ordinal(date)} are skipped` : undefined;
}

const dayOfMonth = (day: string): number => Number(day.slice(8));

function ordinal(value: number): string {
  const isTeen = value > 10 && value < 14;
  const suffix = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][value % 10];
  return `${value}${suffix ?? 'th'}`;
}

const joinList = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
