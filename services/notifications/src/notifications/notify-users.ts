import type { NoticeDecision } from '@atrium/proto-events/notices/decide';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';
import { insertOnce } from '../store/store.ts';
import { decide, type NoticeOf } from './notices.ts';
import { type NotificationFields, recordNotifications } from './record-notifications.ts';

type NotifyUsersParams = {
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  /** Absent if it is the outcome of what the user requested, which is always shown. */
  notice?: NoticeOf;
  subject: Subject;
  userIds: Iterable<string>;
  /** Whether an event of this kind has an email of its own, which the caller sends. */
  hasOwnEmail?: boolean;
  details?: Omit<NotificationFields, 'kind' | 'actorId' | 'resource' | 'subjectId' | 'title'>;
  replacedKinds?: readonly string[];
};

/**
 * Notifies each user except the actor of the event, in the app or in a digest, as they chose. Returns the users with a
 * new notification.
 */
export async function notifyUsers(
  { store, directory, notificationPublisher }: Deps,
  { event, kind, notice, subject, ...params }: NotifyUsersParams,
): Promise<string[]> {
  const userIds = [...new Set(params.userIds)].filter((id) => id !== event.actorId);
  if (userIds.length === 0) return [];
  const decisions = new Map(notice && userIds.map((id) => [id, decide(directory.user(id), id, notice)]));
  const digestAt = (userId: string) => {
    const email = decisions.get(userId)?.channels.email;
    if (email?.isDigest) return email.at;
    return email && !params.hasOwnEmail ? endOfMinute(email.at) : undefined;
  };
  // Digests first: every notification of one must be sent.
  await insertOnce(
    store.digests,
    userIds.flatMap((userId) => {
      const at = digestAt(userId);
      return at ? [{ _id: `${userId}:${at.toISOString()}`, userId, at }] : [];
    }),
  );
  const notifiedIds = await recordNotifications(store, {
    event,
    userIds,
    toOwnFields: (userId) => {
      const at = digestAt(userId);
      return { ...presentDecision(decisions.get(userId)), ...(at && { digestAt: at }) };
    },
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

/** An email of a kind that has none of its own is a digest of the minute. */
const endOfMinute = (at: Date) => new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);

function presentDecision(decision: NoticeDecision | undefined): Pick<NotificationRecord, 'notice'> {
  if (!decision) return {};
  const { kind, reason, channels } = decision;
  const { app, push, email } = channels;
  return {
    notice: { kind, reason, channels: { app, push, email: email && (email.isDigest ? 'digest' : 'immediate') } },
  };
}

const MINUTE_MS = 60_000;

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
