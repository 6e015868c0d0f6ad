import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { UnassignedTasks } from '../store/records.ts';
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
