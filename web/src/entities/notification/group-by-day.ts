import { dayOfDate } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { daysFromToday } from '#ui/times/time-format.ts';
import type { Notification } from './use-notifications.ts';

/** `date` is the label without reference to the current time. */
export type NotificationDay = { day: string; label: string; date: string; notifications: readonly Notification[] };

/** Groups notifications by their day in the user's time zone. Days are in the order of the list. */
export function groupByDay(notifications: readonly Notification[], now: number): NotificationDay[] {
  const days = Map.groupBy(notifications, ({ createdAt }) => dayOfDate(new Date(createdAt)));
  return [...days].map(([day, ofDay]) => ({
    day,
    label: dayLabel(ofDay[0]?.createdAt ?? day, now),
    date: formatDate(ofDay[0]?.createdAt ?? day, true),
    notifications: ofDay,
  }));
}

function dayLabel(time: string, now: number): string {
  const days = daysFromToday(time, new Date(now));
  if (days === 0) return 'Today';
  if (days === -1) return 'Yesterday';
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return formatDate(time, !isThisYear);
}

function formatDate(time: string, hasYear: boolean): string {
  return formatTime(time, { weekday: 'long', day: 'numeric', month: 'long', ...(hasYear && { year: 'numeric' }) });
}
