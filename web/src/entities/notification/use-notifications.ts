import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { listNotifications } from '@atrium/proto-events/http/notifications';
import { PRESENCE_INTERVAL_MS } from '@atrium/proto-events/notices/presence';
import { read } from '#lib/api/api.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf } from '#lib/query/use-read.ts';
import { isUserActive } from '#lib/window-focus.ts';

type NotificationPage = ResponseOf<typeof listNotifications>;
export type Notification = NotificationPage['data'][number];
export type NotificationFilter = 'all' | 'unread' | 'mentions';

const PAGE_SIZE = 20;

export function useNotifications(pages = 1, filter: NotificationFilter = 'all') {
  const keyOfPage = (page: number) =>
    keyOf<typeof listNotifications>('GET /notifications', {
      query: { limit: PAGE_SIZE, page, ...(filter !== 'all' && { filter }) },
    });
  return useInfinitePages<Notification, Pick<NotificationPage, 'unreadCount' | 'unreadInChat'>>(
    keyOfPage,
    pages,
    readNotifications,
  );
}

let seenAt = Number.NEGATIVE_INFINITY;

/** Whether the latest notifications arrived while nobody was looking, or the server may think that nobody is. */
export const areNotificationsUnseen = (): boolean => performance.now() - seenAt >= PRESENCE_INTERVAL_MS;

/** The server withholds pushes and emails about what the user sees. */
export function readNotifications(path: string): Promise<unknown> {
  const isSeen = isUserActive();
  seenAt = isSeen ? performance.now() : Number.NEGATIVE_INFINITY;
  return read(isSeen ? path : `${path}&unseen=true`);
}
