import type { markNotificationsRead } from '@atrium/proto-events/http/notifications';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { call } from '#lib/api/api.ts';
import { useWrite } from '#realtime/use-write.ts';

const asRead = (notification: Notification): Notification =>
  notification.readAt === null ? { ...notification, readAt: new Date().toISOString() } : notification;

export function useMarkRead() {
  const write = useWrite<Notification>('notification');
  const mark = async (before: string, ids?: string[]) => {
    const body = { before, ...(ids && { ids }) };
    await call<typeof markNotificationsRead>('POST /notifications/read', { body }).finally(() =>
      write.refetch('/notifications'),
    );
  };
  return {
    markRead: async ({ _id, createdAt }: Notification) => {
      write.changed(_id, asRead);
      await mark(createdAt, [_id]);
    },
    markAllRead: ({ createdAt }: Notification) => mark(createdAt),
  };
}
