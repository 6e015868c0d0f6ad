import type { DigestRecord } from '../store/records.ts';
import { anyOf, insertOnce, type Store } from '../store/store.ts';

type Digest = Pick<DigestRecord, 'userId' | 'at'>;

const MINUTE_MS = 60_000;

/** An immediate email of a kind that has none of its own is a digest of the minute. */
export const endOfMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);

/** Also those whose time has passed: their notifications may have been stored just before it, or by an interrupted delivery. */
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
