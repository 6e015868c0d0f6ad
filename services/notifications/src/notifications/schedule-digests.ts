import type { DirectoryUser } from '@atrium/proto-events/people';
import type { DigestRecord, NotificationRecord } from '../store/records.ts';
import { anyOf, insertOnce, type Store } from '../store/store.ts';
import { findDigestTimeOf, findUndisturbedTimeOf } from './notices.ts';

type Digest = Pick<DigestRecord, 'userId' | 'at'>;

const MINUTE_MS = 60_000;

/** An immediate email of a kind that has none of its own is a digest of the minute. */
export const endOfMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);

/** Also those whose time has passed, because their notifications may have been stored by an interrupted delivery. */
export async function insertDigests(store: Store, digests: readonly Digest[]): Promise<void> {
  const records = new Map(digests.map(({ userId, at }) => [`${userId}:${at.toISOString()}`, { userId, at }]));
  if (records.size === 0) return;
  // Most are known from earlier events, and a duplicate costs more than finding it.
  const known = await store.digests.find({ _id: anyOf([...records.keys()]) }, { _id: 1 }).lean();
  for (const { _id } of known) records.delete(_id);
  await insertOnce(
    store.digests,
    [...records].map(([_id, digest]) => ({ _id, ...digest })),
  );
}

/** Moves the notifications of a digest to a later one. */
export async function postponeDigest(store: Store, { userId, at }: Digest, to: Date): Promise<void> {
  const collected = { personId: userId, digestAt: at };
  if ((await store.notifications.exists(collected)) === null) return;
  await insertDigests(store, [{ userId, at: to }]);
  await store.notifications.updateMany(collected, { $set: { digestAt: to } });
}

type Waiting = Pick<NotificationRecord, 'notice' | 'recordedAt' | 'createdAt'>;

/** Returns when a notification would be emailed if the present settings of its user had applied all along. */
function findDueTime({ notice, recordedAt, createdAt }: Waiting, user: DirectoryUser, now: Date): Date {
  const findTime = notice?.channels.email === 'digest' ? findDigestTimeOf : findUndisturbedTimeOf;
  const due = findTime(user, recordedAt ?? createdAt);
  return endOfMinute(due > now ? due : findUndisturbedTimeOf(user, now));
}

/** Applies changed settings of a user to digests that are not due yet. Those that are read them when they are sent. */
export async function rescheduleDigests(store: Store, user: DirectoryUser): Promise<void> {
  const now = new Date();
  const notDue = { digestAt: { $gt: now } };
  const waiting = await store.notifications
    .find({ personId: user._id, ...notDue }, { notice: 1, recordedAt: 1, createdAt: 1, digestAt: 1 })
    .lean();
  for (const [time, records] of Map.groupBy(waiting, (record) => findDueTime(record, user, now).getTime())) {
    const ids = records.filter(({ digestAt }) => digestAt?.getTime() !== time).map(({ _id }) => _id);
    if (ids.length === 0) continue;
    const at = new Date(time);
    await insertDigests(store, [{ userId: user._id, at }]);
    await store.notifications.updateMany(
      { personId: user._id, _id: anyOf(ids), ...notDue },
      { $set: { digestAt: at } },
    );
  }
}
