import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import { findLastRestore } from '../store/last-restore.ts';
import type { PushRecord, PushSubscriptionRecord } from '../store/push-records.ts';
import type { NotificationRecord } from '../store/records.ts';
import { anyOf, insertOnce, type Store } from '../store/store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A notification of a device that is switched on after this time would surprise more than it helps. */
export const MAX_PUSH_AGE_MS = DAY_MS;

type Change = { userIds: readonly string[]; subjectId: string };

/**
 * Queues pushes of the unread notifications about a subject, and withdrawals of those that users have read or that no
 * longer exist. Derives both from the stored notifications, so that repeating it changes nothing. Returns the times until
 * which pushes wait.
 */
export async function queuePushes(store: Store, { userIds, subjectId }: Change): Promise<Date[]> {
  const subscriptions = await store.pushSubscriptions
    .find({ userId: anyOf(userIds) }, { userId: 1, endedAt: 1 })
    .lean();
  if (subscriptions.length === 0) return [];
  const subscribedIds = [...new Set(subscriptions.map(({ userId }) => userId))];
  const now = new Date();
  const restoredAt = await findLastRestore(store);
  const since = Math.max(now.getTime() - MAX_PUSH_AGE_MS, restoredAt?.getTime() ?? 0);
  const unread = await store.notifications
    .find({
      ...PUSHED,
      subjectId,
      personId: anyOf(subscribedIds),
      'notice.channels.push': true,
      createdAt: { $gte: new Date(since) },
    })
    .lean();
  const toPush = (
    { _id: notificationId, personId: userId, pushAt = now }: NotificationRecord,
    subscriptionId: string,
  ) => ({
    _id: deterministicId(`${notificationId}:${subscriptionId}`),
    notificationId,
    subscriptionId,
    userId,
    state: 'queued' as const,
    attempts: 0,
    nextAttemptAt: pushAt,
    createdAt: now,
  });
  const pushes = unread.flatMap((notification) =>
    subscriptions
      .filter((subscription) => subscription.userId === notification.personId && reaches(subscription, notification))
      .map(({ _id: subscriptionId }) => toPush(notification, subscriptionId)),
  );
  await insertOnce(store.pushes, pushes);
  await queueWithdrawals(store, subscribedIds);
  return pushes.map(({ nextAttemptAt }) => nextAttemptAt).filter((at) => at > now);
}

/**
 * Whether a browser receives a notification. Those that a new password signs out are still notified of it, because the
 * account may have been taken over.
 */
export const reaches = (
  { endedAt }: Pick<PushSubscriptionRecord, 'endedAt'>,
  { notice, createdAt }: Pick<NotificationRecord, 'notice' | 'createdAt'>,
): boolean => endedAt === undefined || (notice?.kind === 'security' && createdAt <= endedAt);

const PUSHED: QueryFilter<NotificationRecord> = { read: false, isRetracted: { $ne: true } };

/** Returns whether the notification is still to be shown by devices. */
export const isPushed = (notification: NotificationRecord | null): notification is NotificationRecord =>
  notification !== null && !notification.read && notification.isRetracted !== true;

export async function queueWithdrawals(store: Store, userIds: readonly string[]): Promise<void> {
  const shown = await store.pushes
    .find({ userId: anyOf(userIds), state: 'shown' }, { notificationId: 1, userId: 1 })
    .lean();
  for (const [userId, pushes] of Map.groupBy(shown, ({ userId }) => userId))
    await queueWithdrawalsOf(store, userId, pushes);
}

type ShownPush = Pick<PushRecord, '_id' | 'notificationId'>;

/** Of one user, because FerretDB would read all notifications to find those of several users, or ids. */
async function queueWithdrawalsOf(store: Store, userId: string, shown: readonly ShownPush[]): Promise<void> {
  const notificationIds = [...new Set(shown.map(({ notificationId }) => notificationId))];
  const unread = await store.notifications
    .find({ ...PUSHED, personId: userId, _id: anyOf(notificationIds) }, { _id: 1 })
    .lean();
  const unreadIds = new Set(unread.map(({ _id }) => _id));
  const withdrawn = shown.filter(({ notificationId }) => !unreadIds.has(notificationId)).map(({ _id }) => _id);
  if (withdrawn.length === 0) return;
  await store.pushes.updateMany(
    { _id: anyOf(withdrawn), userId, state: 'shown' },
    { $set: { state: 'withdrawing', attempts: 0, nextAttemptAt: new Date() } },
  );
}
