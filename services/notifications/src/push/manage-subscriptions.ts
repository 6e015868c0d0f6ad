import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { EventOf } from '@atrium/proto-events/event';
import { type accountSecured, sessionRevoked } from '@atrium/proto-events/events/auth';
import {
  PUSH_DISABLED,
  PUSH_HOST_DENIED,
  PUSH_KEY_OUTDATED,
  type subscribeToPush as subscribeContract,
} from '@atrium/proto-events/http/notices/push';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Deps } from '../deps.ts';
import type { PushSubscriptionRecord } from '../store/push-records.ts';
import { anyOf, insertOnce, type Store } from '../store/store.ts';
import { isAllowedEndpoint } from './push-hosts.ts';
import { isPointOfCurve } from './push-keys.ts';

/** Beyond them, the oldest one is removed: browsers rarely end what they no longer use. */
const MAX_SUBSCRIPTIONS = 20;

export const getPushKey = ({ pushSettings: { keys } }: Deps) => ({ publicKey: keys[0]?.publicKey ?? null });

type Body = RequestOf<typeof subscribeContract>['body'];

/**
 * Stores the subscription of a browser. One of another user of the same browser is replaced. Throws `unauthorized` if
 * the session has ended: what the event removes may be stored later, by a pod that has not received it.
 */
export async function subscribeToPush({ store, pushSettings }: Deps, caller: Caller, body: Body) {
  const { userId, sessionId } = caller;
  const [current] = pushSettings.keys;
  assertValid(current !== undefined, PUSH_DISABLED);
  assertValid(isAllowedEndpoint(body.endpoint, pushSettings.hosts), PUSH_HOST_DENIED);
  assertValid(body.publicKey === current?.publicKey && isPointOfCurve(body.keys.p256dh), PUSH_KEY_OUTDATED);
  const _id = deterministicId(body.endpoint);
  const fields = { userId, sessionId, ...body, renewedAt: new Date() };
  await removeSubscriptions(store, { _id, userId: { $ne: userId } });
  await insertOnce(store.pushSubscriptions, [{ _id, ...fields }]);
  await store.pushSubscriptions.updateOne({ _id }, { $set: fields, $unset: { endedAt: 1 } });
  if (await hasEnded(store, caller)) {
    await removeSubscriptions(store, { _id, sessionId });
    throw rejectedToken(caller);
  }
  await removeOldest(store, userId);
  return { _id };
}

/** Longer than an access token may be used after its session has ended. */
const RECENT_MS = 60 * 60_000;

/** Reads the activity records, which are written before subscriptions are removed. */
async function hasEnded({ activities }: Store, { userId, sessionId }: Caller): Promise<boolean> {
  const at = { $gte: new Date(Date.now() - RECENT_MS) };
  const filter = { subjectId: userId, at, type: sessionRevoked.type, 'details.sessionId': sessionId };
  return (await activities.exists(filter)) !== null;
}

function assertValid(isValid: boolean, message: string): void {
  if (!isValid) throw new AppError('validation_failed', message, { messages: [message] });
}

async function removeOldest(store: Store, userId: string): Promise<void> {
  const surplus = await store.pushSubscriptions
    .find({ userId }, { _id: 1 })
    .sort({ renewedAt: -1 })
    .skip(MAX_SUBSCRIPTIONS)
    .lean();
  if (surplus.length > 0) await removeSubscriptions(store, { userId, _id: anyOf(surplus.map(({ _id }) => _id)) });
}

export async function unsubscribeFromPush({ store }: Deps, { userId }: Caller, { id }: { id: string }): Promise<void> {
  const removedCount = await removeSubscriptions(store, { _id: id, userId });
  if (removedCount === 0) throw notFound('Subscription');
}

type UserEvent = { data: { userId: string }; occurredAt: string };

/** Matches the subscriptions of sessions that ended with the event, including those that had expired before. */
const ofSessionsBefore = ({ data: { userId }, occurredAt }: UserEvent) => ({
  userId,
  renewedAt: { $lt: new Date(occurredAt) },
});

export const removeSubscriptionsBefore = async ({ store }: Deps, event: UserEvent) =>
  void (await removeSubscriptions(store, ofSessionsBefore(event)));

const PASSWORD_CHANGED = 'password-changed';

/** Ends the subscriptions of a session that has ended. */
export const endSubscriptionsOf = ({ store }: Deps, event: EventOf<typeof sessionRevoked>): Promise<void> =>
  endSubscriptions(store, event, { sessionId: event.data.sessionId });

export const endSubscriptionsBefore = ({ store }: Deps, event: EventOf<typeof accountSecured>): Promise<void> =>
  endSubscriptions(store, event, ofSessionsBefore(event));

/** Those that a new password has ended are kept for a day, for the push about it. */
async function endSubscriptions(
  store: Store,
  { data: { reason }, occurredAt }: { data: { reason: string }; occurredAt: string },
  filter: QueryFilter<PushSubscriptionRecord>,
): Promise<void> {
  if (reason !== PASSWORD_CHANGED) {
    await removeSubscriptions(store, filter);
    return;
  }
  const current = { ...filter, endedAt: { $exists: false } };
  await store.pushSubscriptions.updateMany(current, { $set: { endedAt: new Date(occurredAt) } });
}

/** Removes subscriptions and what is queued for them. Returns the count of subscriptions. */
export async function removeSubscriptions(store: Store, filter: QueryFilter<PushSubscriptionRecord>): Promise<number> {
  const found = await store.pushSubscriptions.find(filter, { _id: 1 }).lean();
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  await store.pushSubscriptions.deleteMany({ _id: anyOf(ids) });
  await store.pushes.deleteMany({ subscriptionId: anyOf(ids) });
  return found.length;
}
