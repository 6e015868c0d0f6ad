import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { NotificationRecord, UnassignedTasks } from '../store/records.ts';
import { recordNotifications } from './record-notifications.ts';

type NotifyUsersParams = {
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  subject: Subject;
  personIds: Iterable<string>;
  /** Start of the meeting, for reminders. */
  startsAt?: string;
  /** First occurrence that is cancelled or no longer visible to the user. */
  from?: string | undefined;
  /** The user who joined or left a project. */
  aboutUserId?: string;
  tasks?: UnassignedTasks;
  /** Failure reason, as a sentence. */
  reason?: string;
  /** Other kinds that this one replaces if the same user caused them. */
  replacedKinds?: readonly string[];
};

type NotifyDeps = Pick<Deps, 'store' | 'notificationPublisher'>;

/** Notifies users of an event, except the user who caused it. Idempotent. */
export async function notifyUsers(
  { store, notificationPublisher }: NotifyDeps,
  { event, kind, subject, ...params }: NotifyUsersParams,
): Promise<void> {
  const personIds = [...new Set(params.personIds)].filter((id) => id !== event.actorId);
  if (personIds.length === 0) return;
  await recordNotifications(store, {
    event,
    personIds,
    ...(params.replacedKinds && { replacedKinds: params.replacedKinds }),
    facts: {
      ...{ kind, actorId: event.actorId, resource: subject.resource, subjectId: subject.id, title: subject.title },
      ...(params.startsAt !== undefined && { startsAt: new Date(params.startsAt) }),
      ...(params.from !== undefined && { from: new Date(params.from) }),
      ...(params.aboutUserId !== undefined && { aboutUserId: params.aboutUserId }),
      ...(params.tasks && { tasks: params.tasks }),
      ...(params.reason !== undefined && { reason: params.reason }),
    },
  });
  // Also on redelivery: an earlier attempt may have failed here.
  const id = deterministicId([event.id, kind, subject.id, ...personIds].join());
  await notificationPublisher.publish({ id, personIds, about: subject.id });
}

type Withdrawal = { eventId: string; about: string; where: QueryFilter<NotificationRecord> };

const BATCH_SIZE = 1_000;

/** Removes notifications whose target no longer exists. Their queued emails are suppressed (`supersededReason`). */
export async function withdrawNotifications(
  { store, notificationPublisher }: Pick<Deps, 'store' | 'notificationPublisher'>,
  { eventId, about, where }: Withdrawal,
): Promise<void> {
  for (;;) {
    const found = await store.notifications.find(where, { personId: 1 }).limit(BATCH_SIZE).lean();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await store.notifications.deleteMany({ _id: { $in: ids } });
    const personIds = [...new Set(found.map(({ personId }) => personId))];
    await notificationPublisher.publish({
      id: deterministicId([eventId, 'withdrawn', ...ids].join()),
      personIds,
      about,
    });
  }
}
