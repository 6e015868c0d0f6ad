import { useNotifications } from '#entities/notification/use-notifications.ts';
import { Reminders } from './reminders.tsx';
import { useReadOpened } from './use-read-opened.ts';

/** Shows due reminders, and marks notifications about what is opened as read. */
export function UnreadNotifications() {
  const { data } = useNotifications();
  useReadOpened(data?.unreadCount ?? 0);
  return data?.data.some(({ startsAt, readAt }) => startsAt && readAt === null) && <Reminders />;
}
