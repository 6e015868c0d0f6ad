import { useEffect } from 'react';
import { useUnreadTotal } from '#entities/conversation/use-unread-total.ts';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { setUnreadCount } from '#ui/pages/document-title.ts';

export function UnreadInTab() {
  const count = useUnreadTotal() + (useNotifications().data?.unreadCount ?? 0);
  useEffect(() => {
    setUnreadCount(count);
  }, [count]);
  useEffect(() => {
    return () => setUnreadCount(0);
  }, []);
  return null;
}
