import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { listNotifications } from '@atrium/proto-events/http/notifications';
import { keyOf } from '#lib/query/keys.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';

type Answer = ResponseOf<typeof listNotifications>;
export type Notification = Answer['data'][number];

const PAGE_SIZE = 20;

/** The latest notifications, loaded 20 at a time, with the total number of unread ones. */
export function useNotifications(pages = 1) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listNotifications>('GET /notifications', { query: { limit: PAGE_SIZE, page } });
  return useInfinitePages<Notification, Pick<Answer, 'unreadCount'>>(keyOfPage, pages);
}
