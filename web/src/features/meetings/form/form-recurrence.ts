import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import {
  FREQUENCIES,
  getWeekday,
  isLastWeekdayOfMonth,
  type MonthlyOn,
  type Recurrence,
  type Rule,
  weekOfMonth,
} from '@atrium/proto-events/recurrence/rule';
import { monthlyOnText, recurrenceText, skippedMonthsText } from '@atrium/proto-events/recurrence/text';
import { dayIn } from '#entities/meeting/recurrence-label.ts';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import { shortDate } from '#ui/times/time-format.ts';

/** A recurrence in the form, whose interval may be empty while it is typed. */
export type RecurrenceValue = Omit<Recurrence, 'interval'> & { interval: number | null };

export type RuleSource = Pick<Meeting, 'startTime' | 'endTime' | 'timezone' | 'recurrence'>;

/** Returns the first day of the rule in the meeting's time zone, which may differ from the day in the form. */
export function ruleDay(date: Day | '', start: string | undefined, from?: RuleSource): Day | '' {
  if (start === undefined) return date;
  if (from?.recurrence && start === from.startTime) return from.recurrence.day;
  return dayIn(from?.timezone ?? browserTimeZone(), start);
}

/** Returns the weekdays of a weekly rule, including the one implied by its start. */
export const selectedWeekdays = ({ weekdays }: Pick<Recurrence, 'weekdays'>, day: Day) =>
  weekdays.length > 0 ? weekdays : [getWeekday(day)];

type MonthlyOption = { value: MonthlyOn; label: string };

export function monthlyOptions(day: Day): MonthlyOption[] {
  const values: MonthlyOn[] = [
    'date',
    ...(weekOfMonth(day) < 5 ? ['weekday' as const] : []),
    ...(isLastWeekdayOfMonth(day) ? ['lastWeekday' as const] : []),
    'lastDay',
  ];
  return values.map((value) => ({ value, label: `On ${monthlyOnText(value, day)}` }));
}

/** Returns the rule for a start on `day`, which may no longer be the third or last such weekday of its month. */
export function toRule(frequency: string, { weekdays, ...value }: RecurrenceValue, day: Day): Rule | undefined {
  const knownFrequency = FREQUENCIES.find((name) => name === frequency);
  if (knownFrequency === undefined || value.interval === null) return undefined;
  const options = monthlyOptions(day).map((option) => option.value);
  const alternative = value.monthlyOn === 'lastWeekday' ? 'weekday' : 'lastWeekday';
  const monthlyOn = options.includes(value.monthlyOn) ? value.monthlyOn : alternative;
  const isImplied = weekdays.length === 1 && weekdays[0] === getWeekday(day);
  return { frequency: knownFrequency, interval: value.interval, weekdays: isImplied ? [] : weekdays, monthlyOn };
}

export function ruleSummary(rule: Rule, day: Day): string {
  const skipped = rule.frequency === 'monthly' && rule.monthlyOn === 'date' ? skippedMonthsText(day) : undefined;
  if (skipped === undefined) return `Repeats ${recurrenceText(rule, { day })}`;
  const dates = nextMonthDays(day, rule.interval, 3).map((next) => shortDate(dateOfDay(next) ?? next));
  return `${skipped.replace(/^m/, 'M')}. Next dates: ${dates.join('; ')}`;
}

export function nextMonthDays(day: Day, interval: number, count: number): Day[] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const days: Day[] = [];
  if (!dateOfDay(day)) return days;
  for (let months = 0; days.length < count; months += interval) {
    const next = new Date(Date.UTC(year, month - 1 + months, date));
    if (next.getUTCDate() === date) days.push(next.toISOString().slice(0, 10));
  }
  return days;
}
