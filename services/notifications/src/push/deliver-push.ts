import type { NoticeKind } from '@atrium/proto-events/notices/kinds';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { wasSeen } from '../notifications/visits.ts';
import type { PushRecord, PushSubscriptionRecord } from '../store/push-records.ts';
import type { NotificationRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { removeSubscriptions } from './manage-subscriptions.ts';
import { toPushContent, toWithdrawal } from './push-content.ts';
import { acceptsSilentPushes, isAllowedEndpoint } from './push-hosts.ts';
import type { PushKey } from './push-keys.ts';
import type { PushSettings } from './push-settings.ts';
import { isPushed, MAX_PUSH_AGE_MS, queueWithdrawals, reaches } from './queue-pushes.ts';
import { type SendResult, sendPush } from './send-push.ts';

export const PUSH_OUTCOMES = ['sent', 'retried', 'gone', 'failed', 'obsolete'] as const;
export type PushOutcome = (typeof PUSH_OUTCOMES)[number];

export type PushDeps = {
  store: Store;
  directory: Directory;
  settings: PushSettings;
  log: Logger;
  signal: AbortSignal;
};

/** A claim that another pod or a later round takes over after a crash. */
const CLAIM_MS = 60_000;

/**
 * Sends a queued push or withdrawal. Two pods may send the same one, if their claims overlap in a store without atomic
 * updates: devices replace a notification with the same tag. Returns undefined if another pod has claimed it.
 */
export async function deliverPush(push: PushRecord, deps: PushDeps): Promise<PushOutcome | undefined> {
  const { store } = deps;
  const { _id, state, attempts, nextAttemptAt } = push;
  const claimedUntil = new Date(Date.now() + CLAIM_MS);
  const { modifiedCount } = await store.run(() =>
    store.pushes.updateOne(
      { _id, state, nextAttemptAt },
      { $set: { attempts: attempts + 1, nextAttemptAt: claimedUntil } },
    ),
  );
  if (modifiedCount === 0) return undefined;
  const [subscription, notification] = await store.run(() =>
    Promise.all([
      store.pushSubscriptions.findById(push.subscriptionId).lean(),
      store.notifications.findById(push.notificationId).lean(),
    ]),
  );
  const key = deps.settings.keys.find(({ publicKey }) => publicKey === subscription?.publicKey);
  if (!subscription || !key || !isUsable(subscription, deps.settings)) return removeGone(store, push.subscriptionId);
  if (isObsolete(push, { subscription, notification }, deps.directory)) {
    // Marked as unread again before it was withdrawn.
    await settle(store, push, state === 'withdrawing' && isPushed(notification) ? 'shown' : 'ended');
    return 'obsolete';
  }
  if (state === 'queued' && (await store.run(() => isWithheld(store, notification)))) {
    // A later event, which is merged into the notification, queues it again.
    await store.run(() => store.pushes.deleteOne({ _id, state }));
    return 'obsolete';
  }
  const result = await send(push, { subscription, notification, key }, deps);
  await recordResult({ ...push, attempts: attempts + 1 }, result, deps);
  return result.outcome;
}

const isUsable = ({ endpoint, renewedAt }: PushSubscriptionRecord, { hosts, maxIdleMs }: PushSettings): boolean =>
  isAllowedEndpoint(endpoint, hosts) && renewedAt.getTime() > Date.now() - maxIdleMs;

type Found = { subscription: PushSubscriptionRecord; notification: NotificationRecord | null };

function isObsolete(push: PushRecord, { subscription, notification }: Found, directory: Directory): boolean {
  // Queued while another user signed in to the browser.
  if (push.userId !== subscription.userId) return true;
  if (push.createdAt.getTime() < Date.now() - MAX_PUSH_AGE_MS && push.state === 'queued') return true;
  if (push.state === 'withdrawing')
    return isPushed(notification) || !acceptsSilentPushes(subscription.endpoint) || subscription.endedAt !== undefined;
  if (!isPushed(notification) || !reaches(subscription, notification)) return true;
  const user = directory.user(push.userId);
  return getExpiry(notification) <= Date.now() || (user !== undefined && !isActive(user));
}

const isWithheld = async (store: Store, notification: NotificationRecord | null): Promise<boolean> =>
  notification !== null && wasSeen(store, notification, 'push');

const getExpiry = ({ startsAt, createdAt }: NotificationRecord): number =>
  startsAt?.getTime() ?? createdAt.getTime() + MAX_PUSH_AGE_MS;

const URGENT_KINDS: readonly NoticeKind[] = ['mention', 'direct_message', 'meeting_reminder', 'security'];

async function send(
  push: PushRecord,
  { subscription, notification, key }: Found & { key: PushKey },
  { store, directory, settings, signal }: PushDeps,
): Promise<SendResult> {
  // A browser that has been signed out shows no count.
  const unreadCount = subscription.endedAt ? 0 : await store.run(() => countUnread(store, push.userId));
  const isShown = push.state === 'queued' && notification !== null;
  const expiresAt = isShown ? getExpiry(notification) : Date.now() + MAX_PUSH_AGE_MS;
  return sendPush(subscription, {
    content: isShown ? toPushContent(directory, notification, unreadCount) : toWithdrawal(push, unreadCount),
    key,
    subject: settings.subject,
    ttlSeconds: Math.max(0, Math.round((expiresAt - Date.now()) / 1_000)),
    isUrgent: isShown && notification.notice !== undefined && URGENT_KINDS.includes(notification.notice.kind),
    signal,
  });
}

const countUnread = (store: Store, userId: string) =>
  store.notifications.countDocuments({ personId: userId, read: false, 'notice.channels.app': { $ne: false } });

async function recordResult(push: PushRecord, result: SendResult, { store, log }: PushDeps): Promise<void> {
  const { _id: pushId, subscriptionId, attempts } = push;
  if (result.outcome === 'sent') return settleSent(store, push);
  if (result.outcome === 'gone') {
    await removeGone(store, subscriptionId);
    return;
  }
  log.warn({ pushId, subscriptionId, attempts, outcome: result.outcome, reason: result.reason }, 'Failed to send push');
  if (result.outcome === 'failed') return settle(store, push, 'ended');
  const delayMs = Math.max(result.retryAfterMs, getRetryDelay(attempts));
  const nextAttemptAt = new Date(Date.now() + delayMs);
  await store.run(() => store.pushes.updateOne({ _id: pushId, state: push.state }, { $set: { nextAttemptAt } }));
}

const MIN_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 60 * 60_000;

export const getRetryDelay = (attempts: number): number =>
  Math.min(MIN_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);

async function settleSent(store: Store, push: PushRecord): Promise<void> {
  if (push.state === 'withdrawing') return settle(store, push, 'ended');
  await settle(store, push, 'shown');
  // The user may have read it since: reading finds either this state, or is found by this query.
  await store.run(() => queueWithdrawals(store, [push.userId]));
}

async function settle(store: Store, { _id, state }: PushRecord, settled: 'shown' | 'ended'): Promise<void> {
  await store.run(() => store.pushes.updateOne({ _id, state }, { $set: { state: settled } }));
}

async function removeGone(store: Store, subscriptionId: string): Promise<'gone'> {
  await store.run(() => removeSubscriptions(store, { _id: subscriptionId }));
  // The subscription may have been removed before.
  await store.run(() => store.pushes.deleteMany({ subscriptionId }));
  return 'gone';
}
