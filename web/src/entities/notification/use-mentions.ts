import type { listNotifications, markNotificationsRead } from '@atrium/proto-events/http/notifications';
import { call } from '#lib/api/api.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf } from '#lib/query/use-read.ts';
import { useWrite } from '#realtime/use-write.ts';
import { type Notification, readNotifications } from './use-notifications.ts';

const MAX_MENTIONS = 10;

const keyOfMentions = () =>
  keyOf<typeof listNotifications>('GET /notifications', { query: { filter: 'mentions', limit: MAX_MENTIONS } });

export const useMentions = () => useInfinitePages<Notification>(keyOfMentions, 1, readNotifications);

/** Marks a mention as read when the user follows it. If that fails, it stays unread. */
export function useReadMention() {
  const write = useWrite<Notification>('notification');
  return ({ _id, readAt }: Notification): void => {
    if (readAt !== null) return;
    const body = { ids: [_id] };
    call<typeof markNotificationsRead>('POST /notifications/read', { body })
      .catch(() => undefined)
      .finally(() => write.refetch('/notifications'));
  };
}
