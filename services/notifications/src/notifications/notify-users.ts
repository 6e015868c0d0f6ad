import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';
import { type NotificationFacts, recordNotifications } from './record-notifications.ts';

type NotifyUsersParams = {
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  subject: Subject;
  personIds: Iterable<string>;
  details?: Omit<NotificationFacts, 'kind' | 'actorId' | 'resource' | 'subjectId' | 'title'>;
  replacedKinds?: readonly string[];
};

export async function notifyUsers(
  { store, notificationPublisher }: Deps,
  { event, kind, subject, ...params }: NotifyUsersParams,
): Promise<string[]> {
  const personIds = [...new Set(params.personIds)].filter((id) => id !== event.actorId);
  if (personIds.length === 0) return [];
  const notifiedIds = await recordNotifications(store, {
    event,
    personIds,
    replacedKinds: params.replacedKinds,
    facts: {
      kind,
      actorId: event.actorId,
      resource: subject.resource,
      subjectId: subject.id,
      title: subject.title,
      ...params.details,
    },
  });
  // Also on redelivery: an earlier attempt may have failed here.
  const id = deterministicId([event.id, kind, subject.id, ...personIds].join());
  await notificationPublisher.publish({ id, personIds, about: subject.id });
  return notifiedIds;
}

type Withdrawal = { eventId: string; about: string; where: QueryFilter<NotificationRecord> };

const BATCH_SIZE = 1_000;

export async function withdrawNotifications(
  { store, notificationPublisher }: Deps,
  { eventId, about, where }: Withdrawal,
): Promise<void> {
  for (;;) {
    const found = await store.notifications.find(where, { personId: 1 }).limit(BATCH_SIZE).lean();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await store.notifications.deleteMany({ _id: { $in: ids } });
    const personIds = [...new Set(found.map(({ personId }) => personId))];
    const id = deterministicId([eventId, 'withdrawn', ...ids].join());
    await notificationPublisher.publish({ id, personIds, about });
  }
}
