import { type Frequency, type Rule, weekdayOf } from '@atrium/proto-events/recurrence';
import type { Temporal } from 'temporal-polyfill';

type Days = { day: Temporal.PlainDate; anchor: Temporal.PlainDate };

/** Whether a rule has a start on `day` if `anchor` is in one of its periods (and, if it takes its weekday or date from it, on it). */
export function isDayOfRule(rule: Rule, days: Days): boolean {
  return periodsBetween(rule.frequency, days) % rule.interval === 0 && isDayOfPeriod(rule, days);
}

/** Weeks start on Monday. */
export function periodsBetween(frequency: Frequency, { day, anchor }: Days): number {
  if (frequency === 'daily') return anchor.until(day, { largestUnit: 'days' }).days;
  if (frequency === 'monthly') return (day.year - anchor.year) * 12 + day.month - anchor.month;
  return mondayOf(anchor).until(mondayOf(day), { largestUnit: 'days' }).days / 7;
}

export const mondayOf = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 });

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
