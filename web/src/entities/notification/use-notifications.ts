import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { listNotifications } from '@atrium/proto-events/http/notifications';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf } from '#lib/query/use-read.ts';

type NotificationPage = ResponseOf<typeof listNotifications>;
export type Notification = NotificationPage['data'][number];

const PAGE_SIZE = 20;

export function useNotifications(pages = 1) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listNotifications>('GET /notifications', { query: { limit: PAGE_SIZE, page } });
  return useInfinitePages<Notification, Pick<NotificationPage, 'unreadCount'>>(keyOfPage, pages);
}
