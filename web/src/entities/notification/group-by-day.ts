import { dayOfDate } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { daysFromToday, yearIfOther } from '#ui/times/time-format.ts';
import type { Notification } from './use-notifications.ts';

const DATE = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** `date` is the label without reference to the current time. */
export type NotificationDay = { day: string; label: string; date: string; notifications: readonly Notification[] };

/** Groups notifications by their day in the user's time zone. Days are in the order of the list. */
export function groupByDay(notifications: readonly Notification[], now: number): NotificationDay[] {
  const days = Map.groupBy(notifications, ({ createdAt }) => dayOfDate(new Date(createdAt)));
  return [...days].map(([day, ofDay]) => {
    const time = ofDay[0]?.createdAt ?? day;
    const date = formatTime(time, { ...DATE, year: 'numeric' });
    return { day, label: dayLabel(time, now), date, notifications: ofDay };
  });
}

function dayLabel(time: string, now: number): string {
  const days = daysFromToday(time, new Date(now));
  if (days === 0) return 'Today';
  if (days === -1) return 'Yesterday';
  return formatTime(time, { ...DATE, ...yearIfOther(time, new Date(now)) });
}
