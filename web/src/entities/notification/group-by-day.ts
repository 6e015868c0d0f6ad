import { dayOfDate } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { daysFromToday } from '#ui/times/time-format.ts';
import type { Notification } from './use-notifications.ts';

export type NotificationDay = { day: string; label: string; notifications: readonly Notification[] };

/** Groups notifications by their day in the user's time zone. Days are in the order of the list. */
export function groupByDay(notifications: readonly Notification[], now: number): NotificationDay[] {
  const days = Map.groupBy(notifications, ({ createdAt }) => dayOfDate(new Date(createdAt)));
  return [...days].map(([day, ofDay]) => ({
    day,
    label: dayLabel(ofDay[0]?.createdAt ?? day, now),
    notifications: ofDay,
  }));
}

function dayLabel(time: string, now: number): string {
  const days = daysFromToday(time, new Date(now));
  if (days === 0) return 'Today';
  if (days === -1) return 'Yesterday';
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return formatTime(time, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  });
}
