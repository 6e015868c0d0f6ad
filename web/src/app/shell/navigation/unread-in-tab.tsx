import { useEffect } from 'react';
import { useUnreadTotal } from '#entities/conversation/use-unread-total.ts';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { setUnreadCount } from '#ui/pages/document-title.ts';

export function UnreadInTab() {
  const { data } = useNotifications();
  const unreadCount = data?.unreadCount;
  const count = countOnce(useUnreadTotal(), data);
  useEffect(() => {
    setUnreadCount(count);
  }, [count]);
  useEffect(() => {
    return () => {
      setUnreadCount(0);
      setBadge(0);
    };
  }, []);
  useEffect(() => {
    if (unreadCount !== undefined) setBadge(unreadCount);
  }, [unreadCount]);
  return null;
}

type Notifications = NonNullable<ReturnType<typeof useNotifications>['data']>;

/** Chat does not count all messages that users are notified of, such as replies in threads that they do not follow. */
function countOnce(messageCount: number, notifications: Notifications | undefined): number {
  const { unreadCount = 0, unreadInChat = 0 } = notifications ?? {};
  return Math.max(messageCount, unreadInChat) + unreadCount - unreadInChat;
}

/** On the icon of the installed app; the service worker sets the same number. */
function setBadge(count: number): void {
  // Some browsers reject it unless the app is installed.
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
}
