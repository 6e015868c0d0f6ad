import type { RequestOf, ResponseOf } from '@atrium/proto-events/endpoint';
import type {
  listNotifications as listContract,
  markNotificationsRead as markContract,
} from '@atrium/proto-events/http/notifications';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';

/** Others are recorded for their email only. Those from before a user could choose have no channels. */
const IS_SHOWN = { 'notice.channels.app': { $ne: false } } as const;

type Query = RequestOf<typeof listContract>['query'];

export async function listNotifications({ store, directory }: Deps, { userId }: Caller, query: Query) {
  const ownFilter = { personId: userId, ...IS_SHOWN };
  const { limit, offset } = toLimits(query);
  const [records, total, unreadCount] = await Promise.all([
    store.notifications.find(ownFilter).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
    store.notifications.countDocuments(ownFilter),
    store.notifications.countDocuments({ ...ownFilter, read: false }),
  ]);
  const data = records.map((record) => presentNotification(directory, record));
  return { ...toPage(data, total, query), unreadCount };
}

type Notification = ResponseOf<typeof listContract>['data'][number];

function presentNotification(directory: Directory, record: NotificationRecord): Notification {
  return {
    _id: record._id,
    kind: record.kind,
    actor: record.actorId ? directory.summary(record.actorId) : null,
    subject: {
      resource: record.resource,
      id: record.subjectId,
      title: record.title,
      ...(record.projectId !== undefined && { project: record.projectId }),
      ...(record.place && { place: record.place }),
    },
    readAt: record.readAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    ...(record.startsAt && !record.isRetracted && { startsAt: record.startsAt.toISOString() }),
    ...(record.changed && { changed: record.changed }),
    ...(record.from && { from: record.from.toISOString() }),
    ...(record.aboutUserId && { person: directory.summary(record.aboutUserId) }),
    ...(record.tasks && { tasks: record.tasks }),
    ...(record.reason !== undefined && { reason: record.reason }),
  };
}

type Body = RequestOf<typeof markContract>['body'];

/** Marks notifications up to the time of the newest one the caller has seen; later ones stay unread. Idempotent. */
export async function markNotificationsRead(
  { store, notificationPublisher }: Deps,
  { userId }: Caller,
  { until, ids }: Body,
) {
  const { modifiedCount } = await store.notifications.updateMany(
    {
      personId: userId,
      ...IS_SHOWN,
      read: false,
      createdAt: { $lte: new Date(until) },
      ...(ids && { _id: { $in: ids } }),
    },
    { $set: { read: true, readAt: new Date() } },
  );
  if (modifiedCount > 0) notificationPublisher.publishInBackground({ userIds: [userId], subjectId: userId });
  return { updatedCount: modifiedCount };
}
