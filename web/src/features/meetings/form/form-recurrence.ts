import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import {
  FREQUENCIES,
  isLastWeekdayOfMonth,
  type MonthlyOn,
  type Recurrence,
  type Rule,
  weekdayOf,
  weekOfMonth,
} from '@atrium/proto-events/recurrence';
import { monthlyOnText, recurrenceText, skippedMonthsText } from '@atrium/proto-events/recurrence-text';
import { dayIn } from '../../../entities/meeting/day-in.ts';
import { type Day, dateOfDay } from '../../../lib/day.ts';
import { browserTimeZone } from '../../../lib/time-zone.ts';
import { shortDate } from '../../../ui/times/time-format.ts';

/** What the form holds: an interval that is being typed may be empty. */
export type RecurrenceValue = Omit<Recurrence, 'interval'> & { interval: number | null };

/** The meeting that a form was filled from, as far as its rule depends on it. */
export type RuleSource = Pick<Meeting, 'startTime' | 'endTime' | 'timezone' | 'recurrence'>;

/** The day that a rule starts on: in the zone of the meeting, which may have another day than the form shows at that `start`. */
export function ruleDay(date: Day | '', start: string | undefined, from?: RuleSource): Day | '' {
  if (start === undefined) return date;
  if (from?.recurrence && start === from.startTime) return from.recurrence.day;
  return dayIn(from?.timezone ?? browserTimeZone(), start);
}

/** The weekdays of a weekly rule, also where they follow from its start. */
export const selectedWeekdays = ({ weekdays }: Pick<Recurrence, 'weekdays'>, day: Day) =>
  weekdays.length > 0 ? weekdays : [weekdayOf(day)];

export type MonthlyOption = { value: MonthlyOn; label: string };

/** Days of the month that a monthly rule can be on if it starts on `day`; the last day may need another start. */
export function monthlyOptions(day: Day): MonthlyOption[] {
  const values: MonthlyOn[] = [
    'date',
    ...(weekOfMonth(day) < 5 ? ['weekday' as const] : []),
    ...(isLastWeekdayOfMonth(day) ? ['lastWeekday' as const] : []),
    'lastDay',
  ];
  return values.map((value) => ({ value, label: `On ${monthlyOnText(value, day)}` }));
}

/** The rule that the form means if it starts on `day`: another day of the month may no longer be the third or the last of its weekday. */
export function ruleOfForm(frequency: string, { weekdays, ...value }: RecurrenceValue, day: Day): Rule | undefined {
  const known = FREQUENCIES.find((one) => one === frequency);
  if (known === undefined || value.interval === null) return undefined;
  const options = monthlyOptions(day).map((option) => option.value);
  const other = value.monthlyOn === 'lastWeekday' ? 'weekday' : 'lastWeekday';
  const monthlyOn = options.includes(value.monthlyOn) ? value.monthlyOn : other;
  const isImplied = weekdays.length === 1 && weekdays[0] === weekdayOf(day);
  return { frequency: known, interval: value.interval, weekdays: isImplied ? [] : weekdays, monthlyOn };
}

/** 'Repeats every 2 weeks on Monday and Friday', with the next dates of a rule that skips months. */
export function ruleSummary(rule: Rule, day: Day): string {
  const skipped = rule.frequency === 'monthly' && rule.monthlyOn === 'date' ? skippedMonthsText(day) : undefined;
  if (skipped === undefined) return `Repeats ${recurrenceText(rule, { day })}`;
  const dates = nextMonthDays(day, rule.interval, 3).map((next) => shortDate(dateOfDay(next) ?? next));
  return `${skipped.replace(/^m/, 'M')}. Next dates: ${dates.join('; ')}`;
}

/** The days of a monthly rule on the date of `day`, this day included. */
export function nextMonthDays(day: Day, interval: number, count: number): Day[] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const found: Day[] = [];
  if (!dateOfDay(day)) return found;
  for (let months = 0; found.length < count; months += interval) {
    const next = new Date(Date.UTC(year, month - 1 + months, date));
    if (next.getUTCDate() === date) found.push(next.toISOString().slice(0, 10));
  }
  return found;
}
