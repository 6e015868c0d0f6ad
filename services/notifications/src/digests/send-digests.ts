import { isActive } from '@atrium/service-kit/directory/active-users';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Deps } from '../deps.ts';
import { findVisits } from '../notifications/visits.ts';
import type { DigestRecord, NotificationRecord } from '../store/records.ts';
import { toDigestMailing, toNoticeMailing } from './digest-mailings.ts';

const BATCH_SIZE = 100;
/** Notifications of just before a digest may not be stored yet. */
const GRACE_MS = 30_000;
const MAX_ITEMS = 30;

/** More immediate emails that are due at once, as after quiet hours, are collected too. */
const MAX_SEPARATE_EMAILS = 3;

const CHOSEN_FOR_DIGEST = { 'notice.channels.email': 'digest' } as const;

/**
 * Emails the digests that are due, with the notifications that are still unread. Safe to run on several pods at once,
 * because the ids of the emails derive from those of the digests. Returns whether there may be more.
 */
export async function sendDigests(deps: Deps): Promise<boolean> {
  const { store, directory } = deps;
  // A process that has just started knows no users yet.
  if (!Number.isFinite(directory.ageMs())) return false;
  const due = await store.run(() =>
    store.digests
      .find({ at: { $lte: new Date(Date.now() - GRACE_MS) } })
      .sort({ at: 1 })
      .limit(BATCH_SIZE)
      .lean(),
  );
  const results = await Promise.allSettled(due.map((digest) => store.run(() => sendDigest(deps, digest))));
  // One that fails does not keep the others waiting; it is retried in the next round.
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure) throw (failure as PromiseRejectedResult).reason;
  return due.length === BATCH_SIZE;
}

async function sendDigest(deps: Deps, { _id, userId, at }: DigestRecord): Promise<void> {
  const { store, directory } = deps;
  const id = deterministicId(_id);
  const user = directory.user(userId);
  const visitedAt = (await findVisits(store, [userId])).get(userId) ?? new Date(0);
  const unread: QueryFilter<NotificationRecord> = {
    personId: userId,
    digestAt: at,
    read: false,
    isRetracted: { $ne: true },
    $and: [
      // A reminder of what has begun is of no use.
      { $or: [{ startsAt: { $exists: false } }, { startsAt: { $gt: new Date() } }] },
      // What was to be emailed immediately is not if the user has seen it in the app.
      { $or: [CHOSEN_FOR_DIGEST, { 'notice.channels.app': false }, { recordedAt: { $gte: visitedAt } }] },
    ],
  };
  const records = await store.notifications.find(unread).sort({ createdAt: -1, _id: -1 }).limit(MAX_ITEMS).lean();
  if (user && isActive(user)) {
    const event = { id, requestId: id, occurredAt: at.toISOString() };
    const separate = selectSeparate(records);
    const collected = records.filter((record) => !separate.includes(record));
    for (const record of separate) await deps.queueEmails(toNoticeMailing(deps, { event, record, user }));
    const total = (await store.notifications.countDocuments(unread)) - separate.length;
    if (collected.length > 0) await deps.queueEmails(toDigestMailing(deps, { event, records: collected, total, user }));
  }
  // Deleted last: a crash before it queues the same emails again.
  await store.digests.deleteOne({ _id });
}

function selectSeparate(records: readonly NotificationRecord[]): NotificationRecord[] {
  const immediate = records.filter(({ notice }) => notice?.channels.email === 'immediate');
  return immediate.length <= MAX_SEPARATE_EMAILS ? immediate : [];
}
