import type { RequestOf, ResponseOf } from '@atrium/proto-events/endpoint';
import type {
  listNotifications as listContract,
  markNotificationsRead as markContract,
} from '@atrium/proto-events/http/notifications';
import { findNoticeSetting } from '@atrium/proto-events/notices/reasons';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { QueryFilter } from 'mongoose';
import type { Deps } from '../deps.ts';
import type { NoticeRecord, NotificationRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Others are recorded for their email only. Those from before a user could choose have no channels. */
const IS_SHOWN = { 'notice.channels.app': { $ne: false } } as const;

type Query = RequestOf<typeof listContract>['query'];

export async function listNotifications({ store, directory, recordVisit }: Deps, { userId }: Caller, query: Query) {
  const ownFilter = { personId: userId, ...IS_SHOWN };
  const listFilter = { ...ownFilter, ...toFilter(query) };
  const { limit, offset } = toLimits(query);
  const [records, total, unreadCounts] = await Promise.all([
    store.notifications.find(listFilter).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
    store.notifications.countDocuments(listFilter),
    countUnread(store, ownFilter),
  ]);
  const data = records.map((record) => presentNotification(directory, record));
  if (!query.unseen) recordVisit(userId);
  return { ...toPage(data, total, query), ...unreadCounts };
}

/** Chat counts the messages of these as unread, too. */
const CHAT_RESOURCES = ['conversation', 'thread'];

async function countUnread({ notifications }: Store, ownFilter: QueryFilter<NotificationRecord>) {
  const counts = await notifications.aggregate<{ _id: string; count: number }>([
    { $match: { ...ownFilter, read: false } },
    { $group: { _id: '$resource', count: { $sum: 1 } } },
  ]);
  const sum = (resources: readonly { count: number }[]) => resources.reduce((total, { count }) => total + count, 0);
  return { unreadCount: sum(counts), unreadInChat: sum(counts.filter(({ _id }) => CHAT_RESOURCES.includes(_id))) };
}

function toFilter({ filter, kind }: Query): QueryFilter<NotificationRecord> {
  const kinds = [...(filter === 'mentions' ? ['mention' as const] : []), ...(kind ? [kind] : [])];
  return {
    ...(filter === 'unread' && { read: false }),
    ...(kinds.length > 0 && { $and: kinds.map((chosen) => ({ 'notice.kind': chosen })) }),
  };
}

type Notification = ResponseOf<typeof listContract>['data'][number];

function presentNotification(directory: Directory, record: NotificationRecord): Notification {
  return {
    _id: record._id,
    kind: record.kind,
    notice: record.notice ? presentNotice(record.notice) : null,
    actor: record.actorId ? directory.summary(record.actorId) : null,
    actorCount: record.actorIds?.length ?? (record.actorId === null ? 0 : 1),
    eventCount: record.eventKeys?.length ?? 1,
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
    ...(record.dueDate && { dueDate: record.dueDate.toISOString() }),
    ...(record.changed && { changed: record.changed }),
    ...(record.from && { from: record.from.toISOString() }),
    ...(record.aboutUserId && { person: directory.summary(record.aboutUserId) }),
    ...(record.tasks && { tasks: record.tasks }),
    ...(record.reason !== undefined && { reason: record.reason }),
  };
}

const presentNotice = ({ kind, reason }: NoticeRecord): Notification['notice'] => ({
  kind,
  reason,
  setting: findNoticeSetting({ kind, reason }),
});

type Body = RequestOf<typeof markContract>['body'];

/** A time is that of the newest notification that the caller has seen; later ones stay unread. Idempotent. */
export const markNotificationsRead = (deps: Deps, { userId }: Caller, { ids, about, before }: Body) =>
  markOwn(deps, userId, {
    isRead: true,
    filter: {
      ...(before !== undefined && { createdAt: { $lte: new Date(before) } }),
      ...(about !== undefined && { subjectId: about }),
      ...(ids && { _id: { $in: ids } }),
    },
  });

export const markNotificationsUnread = (deps: Deps, { userId }: Caller, { ids }: { ids: string[] }) =>
  markOwn(deps, userId, { isRead: false, filter: { _id: { $in: ids } } });

async function markOwn(
  { store, notificationPublisher }: Deps,
  userId: string,
  { isRead, filter }: { isRead: boolean; filter: QueryFilter<NotificationRecord> },
) {
  const { modifiedCount } = await store.notifications.updateMany(
    { personId: userId, ...IS_SHOWN, read: !isRead, ...filter },
    { $set: { read: isRead, readAt: isRead ? new Date() : null } },
  );
  if (modifiedCount > 0) notificationPublisher.publishInBackground({ userIds: [userId], subjectId: userId });
  return { updatedCount: modifiedCount };
}
