import type {
  listNotifications,
  markNotificationsRead,
  markNotificationsUnread,
} from '@atrium/proto-events/http/notifications';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { call } from '#lib/api/api.ts';
import { splitIntoBatches } from '#lib/split-into-batches.ts';
import { useWrite } from '#realtime/use-write.ts';

const asRead = (notification: Notification): Notification =>
  notification.readAt === null ? { ...notification, readAt: new Date().toISOString() } : notification;
const asUnread = (notification: Notification): Notification => ({ ...notification, readAt: null });

/** The maximum of the endpoints. */
const BATCH_SIZE = 100;
/** Marking more than these as read can be undone only in part. */
export const MAX_UNDONE = 1_000;

export function useMarkRead() {
  const write = useWrite<Notification>('notification');
  const refetch = () => write.refetch('/notifications');
  return {
    markRead: async ({ _id }: Notification) => {
      write.changed(_id, asRead);
      await call<typeof markNotificationsRead>('POST /notifications/read', { body: { ids: [_id] } }).finally(refetch);
    },
    markUnread: async (ids: readonly string[]) => {
      for (const id of ids) write.changed(id, asUnread);
      const mark = (batch: string[]) =>
        call<typeof markNotificationsUnread>('POST /notifications/unread', { body: { ids: batch } });
      await Promise.all(splitIntoBatches(ids, BATCH_SIZE).map(mark)).finally(refetch);
    },
    /** Marks those up to the newest one that the user has seen. Returns the ids of what was unread. */
    markAllRead: async ({ createdAt }: Notification): Promise<string[]> => {
      const ids = await listUnreadIds();
      const body = { before: createdAt };
      await call<typeof markNotificationsRead>('POST /notifications/read', { body }).finally(refetch);
      return ids;
    },
  };
}

async function listUnreadIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1, totalPages = 1; page <= totalPages && ids.length < MAX_UNDONE; page += 1) {
    const query = { filter: 'unread', limit: BATCH_SIZE, page } as const;
    const unread = await call<typeof listNotifications>('GET /notifications', { query });
    ids.push(...unread.data.map(({ _id }) => _id));
    totalPages = unread.totalPages;
  }
  return ids;
}
