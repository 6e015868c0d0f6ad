import { useNotifications } from '#entities/notification/use-notifications.ts';
import { Reminders } from './reminders.tsx';
import { useReadOpened } from './use-read-opened.ts';
import { useSeeOnFocus } from './use-see-on-focus.ts';

/** Shows due reminders, and marks notifications as seen, and those about what is opened as read. */
export function UnreadNotifications() {
  const { data } = useNotifications();
  useReadOpened(data?.unreadCount ?? 0);
  useSeeOnFocus();
  return data?.data.some(({ startsAt, readAt }) => startsAt && readAt === null) && <Reminders />;
}
