import type { markNotificationsRead } from '@atrium/proto-events/http/notifications';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { call } from '#lib/api/api.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';

const asRead = (notification: Notification): Notification =>
  notification.readAt === null ? { ...notification, readAt: new Date().toISOString() } : notification;

export function useMarkRead() {
  const cacheUpdate = useCacheUpdate<Notification>('notification');
  const refetchPaths = useRefetchPaths();
  const mark = async (until: string, ids?: string[]) => {
    const body = { until, ...(ids && { ids }) };
    await call<typeof markNotificationsRead>('POST /notifications/read', { body }).finally(() =>
      refetchPaths('/notifications'),
    );
  };
  return {
    markRead: async ({ _id, createdAt }: Notification) => {
      cacheUpdate.applyChange(_id, asRead);
      await mark(createdAt, [_id]);
    },
    markAllRead: ({ createdAt }: Notification) => mark(createdAt),
  };
}
