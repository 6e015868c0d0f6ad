import { dayInZone } from '../wall-clock.ts';
import { type Frequency, getWeekday, type MonthlyOn, type Rule, WEEKDAYS, type Weekday, weekOfMonth } from './rule.ts';

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

/** The day of a meeting in the time zone of its series, YYYY-MM-DD, and that zone if the day differs for the reader. */
type SeriesDay = { day: string; otherZone?: string | undefined };

export function seriesDay(
  { startTime, timezone }: { startTime: string; timezone: string },
  readerZone: string,
): SeriesDay {
  const day = dayInZone(startTime, timezone);
  return { day, otherZone: dayInZone(startTime, readerZone) === day ? undefined : timezone.replaceAll('_', ' ') };
}

/** Returns text such as "every 2 weeks on Monday and Friday" or "every month on the last day". */
export function recurrenceText(rule: Rule, { day, otherZone }: SeriesDay): string {
  const text = ruleText(rule, day);
  const namesDays = rule.frequency === 'monthly' || rule.weekdays.length > 0;
  return otherZone !== undefined && namesDays ? `${text} in ${otherZone}` : text;
}

function ruleText(rule: Rule, day: string): string {
  const { frequency, interval } = rule;
  if (isEveryWorkday(rule)) return 'every weekday';
  const frequencyText = interval === 1 ? `every ${UNITS[frequency]}` : `every ${interval} ${UNITS[frequency]}s`;
  if (frequency === 'weekly' && rule.weekdays.length > 0)
    return `${frequencyText} on ${joinList(rule.weekdays.map((weekday) => WEEKDAY_NAMES[weekday]))}`;
  if (frequency !== 'monthly') return frequencyText;
  const skippedText = rule.monthlyOn === 'date' ? skippedMonthsText(day) : undefined;
  return `${frequencyText} on ${monthlyOnText(rule.monthlyOn, day)}${skippedText ? ` (${skippedText})` : ''}`;
}

const isEveryWorkday = ({ frequency, interval, weekdays: days }: Rule) =>
  frequency === 'weekly' && interval === 1 && days.join() === WEEKDAYS.slice(0, 5).join();

/** Returns "the 31st", "the last day", "the third Friday", or "the last Friday". */
export function monthlyOnText(on: MonthlyOn, day: string): string {
  if (on === 'lastDay') return 'the last day';
  if (on === 'date') return `the ${ordinal(dayOfMonth(day))}`;
  const week = on === 'lastWeekday' ? 'last' : WEEK_NAMES[weekOfMonth(day) - 1];
  return `the ${week} ${WEEKDAY_NAMES[getWeekday(day)]}`;
}

/** Describes the months that a rule for this day of the month skips (RFC 5545, section 3.3.10); undefined if none. */
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
