import type { DirectoryUser } from '@atrium/proto-events/people';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';
import { anyOf, type Store } from '../store/store.ts';
import { decide, type NoticeOf, noticeOf } from './notices.ts';
import type { NotificationPublisher } from './notification-publisher.ts';
import { type NotificationFields, notificationId, recordNotifications } from './record-notifications.ts';
import { endOfMinute, insertDigests } from './schedule-digests.ts';
import { findVisits } from './visits.ts';

type WithdrawDeps = { store: Store; notificationPublisher: Pick<NotificationPublisher, 'publish'> };
type NotifyDeps = WithdrawDeps & { directory: Pick<Deps['directory'], 'user'> };

type NotifyUsersParams = {
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  /** Absent if it is the outcome of what the user requested, which is always shown. */
  notice?: NoticeOf | undefined;
  subject: Subject;
  userIds: Iterable<string>;
  /** `own`: the caller sends an email, unless the user has chosen a digest. `none`: there are no emails of this event. */
  email?: 'own' | 'none';
  details?: Omit<NotificationFields, 'kind' | 'actorId' | 'resource' | 'subjectId' | 'title'>;
  replacedKinds?: readonly string[];
  /** Selects those that the event still concerns; by default, all. What ends that may be handled at the same time. */
  filterConcerned?: (userIds: readonly string[]) => Promise<readonly string[]>;
};

/**
 * Notifies each user except the actor of the event, in the app or in a digest, as they chose. Returns the users with a
 * new notification, or one whose earlier email was withheld.
 */
export async function notifyUsers(
  deps: NotifyDeps,
  { event, kind, notice, subject, ...params }: NotifyUsersParams,
): Promise<string[]> {
  const { store, directory, notificationPublisher } = deps;
  const { filterConcerned = async (ids: readonly string[]) => ids } = params;
  const candidateIds = [...new Set(params.userIds)].filter((id) => id !== event.actorId);
  const otherIds = await filterConcerned(candidateIds);
  // An earlier attempt that was interrupted may have notified them before it ended for them.
  await withdrawEvent(deps, { event, kind, subject, userIds: subtract(candidateIds, otherIds) });
  const visits = notice ? await findVisits(store, otherIds) : new Map<string, Date>();
  // The same for all, so that few groups differ.
  const at = new Date();
  const groups = groupByDecision(otherIds, (id) =>
    toStoredDecision(directory.user(id), id, { notice, lastSeenAt: visits.get(id), at, ...params }),
  );
  const userIds = groups.flatMap((group) => group.userIds);
  if (userIds.length === 0) return [];
  const fields = {
    kind,
    actorId: event.actorId,
    resource: subject.resource,
    subjectId: subject.id,
    title: subject.title,
    ...params.details,
  };
  const notifiedIds: string[] = [];
  for (const group of groups) {
    const recorded = await recordNotifications(store, {
      event,
      userIds: group.userIds,
      replacedKinds: params.replacedKinds,
      fields: { ...fields, ...group.decision },
    });
    notifiedIds.push(...recorded.notifiedIds);
    await insertDigests(store, recorded.digests);
  }
  const concernedIds = await filterConcerned(userIds);
  const withdrawnIds = subtract(userIds, concernedIds);
  await withdrawEvent(deps, { event, kind, subject, userIds: withdrawnIds });
  if (concernedIds.length === 0) return [];
  // Publishes on redelivery as well, because an earlier attempt may have failed here.
  const id = deterministicId([event.id, kind, subject.id, ...concernedIds].join());
  await notificationPublisher.publish({ id, userIds: [...concernedIds], subjectId: subject.id });
  return subtract(notifiedIds, withdrawnIds);
}

function subtract(userIds: readonly string[], others: readonly string[]): string[] {
  const otherIds = new Set(others);
  return userIds.filter((id) => !otherIds.has(id));
}

type EventNotifications = Pick<NotifyUsersParams, 'event' | 'kind' | 'subject'> & { userIds: readonly string[] };

/** Those about other events as well stay. */
async function withdrawEvent(deps: WithdrawDeps, { event, kind, subject, userIds }: EventNotifications) {
  if (userIds.length === 0) return;
  const { id: subjectId } = subject;
  const ids = userIds.map((userId) => notificationId({ eventId: event.id, userId, kind, subjectId }));
  const filter = { subjectId, _id: anyOf(ids), eventKeys: { $size: 1 } };
  await withdrawNotifications(deps, { eventId: event.id, subjectId, filter });
}

type StoredDecision = Pick<NotificationRecord, 'notice' | 'pushAt' | 'digestAt'>;

type DecisionParams = Pick<NotifyUsersParams, 'notice' | 'email'> & { lastSeenAt: Date | undefined; at: Date };

function toStoredDecision(
  user: DirectoryUser | undefined,
  userId: string,
  { notice, lastSeenAt, at, email: emails }: DecisionParams,
): StoredDecision {
  if (!notice) return {};
  const { kind, reason, channels } = decide(user, userId, { notice, lastSeenAt, at });
  const { app, push } = channels;
  const email = emails === 'none' ? null : channels.email;
  const { levelId } = noticeOf(notice, userId);
  const isInDigest = email && (email.isDigest || emails !== 'own');
  return {
    notice: {
      kind,
      reason,
      channels: { app, push: push !== null, email: email && (email.isDigest ? 'digest' : 'immediate') },
      ...(levelId !== undefined && { levelId }),
    },
    ...(push && push.at > at && { pushAt: push.at }),
    ...(isInDigest && { digestAt: email.isDigest ? email.at : endOfMinute(email.at) }),
  };
}

function groupByDecision(userIds: readonly string[], toDecision: (userId: string) => StoredDecision) {
  const groups = new Map<string, { decision: StoredDecision; userIds: string[] }>();
  for (const userId of userIds) {
    const decision = toDecision(userId);
    const key = JSON.stringify(decision);
    const group = groups.get(key);
    if (group) group.userIds.push(userId);
    else groups.set(key, { decision, userIds: [userId] });
  }
  return [...groups.values()].filter(({ decision }) => isStored(decision));
}

/** One that is not shown in the app is stored for its push or email. */
const isStored = ({ notice }: StoredDecision) => !notice || Object.values(notice.channels).some(Boolean);

type Withdrawal = { eventId: string; subjectId: string; filter: QueryFilter<NotificationRecord> };

const BATCH_SIZE = 1_000;

/** Deletes the matching notifications and publishes the change to their users. */
export async function withdrawNotifications(
  { store, notificationPublisher }: WithdrawDeps,
  { eventId, subjectId, filter }: Withdrawal,
): Promise<void> {
  for (;;) {
    const batch = await store.notifications.find(filter, { personId: 1 }).limit(BATCH_SIZE).lean();
    if (batch.length === 0) return;
    const ids = batch.map(({ _id }) => _id);
    // FerretDB uses an index for the filter. For ids alone, it would scan the collection.
    await store.notifications.deleteMany({ ...filter, _id: anyOf(ids) });
    const userIds = [...new Set(batch.map(({ personId }) => personId))];
    const id = deterministicId([eventId, 'withdrawn', ...ids].join());
    await notificationPublisher.publish({ id, userIds, subjectId });
  }
}
