import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';
import { type NotificationFields, recordNotifications } from './record-notifications.ts';

type NotifyUsersParams = {
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  subject: Subject;
  userIds: Iterable<string>;
  details?: Omit<NotificationFields, 'kind' | 'actorId' | 'resource' | 'subjectId' | 'title'>;
  replacedKinds?: readonly string[];
};

/** Notifies each user except the actor of the event. Returns the users with a new notification. */
export async function notifyUsers(
  { store, notificationPublisher }: Deps,
  { event, kind, subject, ...params }: NotifyUsersParams,
): Promise<string[]> {
  const userIds = [...new Set(params.userIds)].filter((id) => id !== event.actorId);
  if (userIds.length === 0) return [];
  const notifiedIds = await recordNotifications(store, {
    event,
    userIds,
    replacedKinds: params.replacedKinds,
    fields: {
      kind,
      actorId: event.actorId,
      resource: subject.resource,
      subjectId: subject.id,
      title: subject.title,
      ...params.details,
    },
  });
  // Publishes on redelivery as well, because an earlier attempt may have failed here.
  const id = deterministicId([event.id, kind, subject.id, ...userIds].join());
  await notificationPublisher.publish({ id, userIds, subjectId: subject.id });
  return notifiedIds;
}

type Withdrawal = { eventId: string; subjectId: string; filter: QueryFilter<NotificationRecord> };

const BATCH_SIZE = 1_000;

/** Deletes the matching notifications and publishes the change to their users. */
export async function withdrawNotifications(
  { store, notificationPublisher }: Deps,
  { eventId, subjectId, filter }: Withdrawal,
): Promise<void> {
  for (;;) {
    const batch = await store.notifications.find(filter, { personId: 1 }).limit(BATCH_SIZE).lean();
    if (batch.length === 0) return;
    const ids = batch.map(({ _id }) => _id);
    await store.notifications.deleteMany({ _id: { $in: ids } });
    const userIds = [...new Set(batch.map(({ personId }) => personId))];
    const id = deterministicId([eventId, 'withdrawn', ...ids].join());
    await notificationPublisher.publish({ id, userIds, subjectId });
  }
}
