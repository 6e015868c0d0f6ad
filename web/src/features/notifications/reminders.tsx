import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { reminderText } from '#entities/notification/notification-labels.ts';
import { type Notification, useNotifications } from '#entities/notification/use-notifications.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { showReminder, withdrawReminders } from '#ui/overlays/toast.ts';
import { useMarkRead } from './use-mark-read.ts';

export function Reminders() {
  const { data } = useNotifications();
  const now = useNow();
  const { markRead } = useMarkRead();
  useEffect(() => {
    const due = (data?.data ?? []).filter((notification) => reminderText(notification, now) !== undefined);
    for (const notification of due) remind(notification, now, () => void markRead(notification).catch(() => undefined));
    withdrawReminders((key) => due.some(({ _id }) => _id === key));
  });
  useEffect(() => {
    return () => withdrawReminders(() => false);
  }, []);
  return null;
}

function remind(notification: Notification, now: number, onDismiss: () => void): void {
  const { _id: key, startsAt } = notification;
  const title = reminderText(notification, now);
  if (title !== undefined && startsAt !== undefined)
    showReminder({ icon: Bell, title, key, until: Date.parse(startsAt), onDismiss });
}
