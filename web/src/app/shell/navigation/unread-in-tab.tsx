import { useEffect } from 'react';
import { useUnreadTotal } from '#entities/conversation/use-unread-total.ts';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { setUnreadCount } from '#ui/pages/document-title.ts';

/** Messages that are unread in Team Chat, where they are counted. */
const IN_CHAT = ['conversation', 'thread'];

export function UnreadInTab() {
  const { data } = useNotifications();
  const unreadCount = data?.unreadCount;
  const alsoInChat = data?.data.filter(({ readAt, subject }) => !readAt && IN_CHAT.includes(subject.resource)) ?? [];
  const count = useUnreadTotal() + (unreadCount ?? 0) - alsoInChat.length;
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

/** On the icon of the installed app; the service worker sets the same number. */
function setBadge(count: number): void {
  // Some browsers reject it unless the app is installed.
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
}
