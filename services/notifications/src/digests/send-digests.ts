import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { happenedBeforeRestore } from '../email/queue-emails.ts';
import { findReplyTarget } from '../email/reply-target.ts';
import { awaitsEmail, EMAILABLE_FIELDS, type Emailable } from '../notifications/awaits-email.ts';
import { findUndisturbedTimeOf } from '../notifications/notices.ts';
import { endOfMinute, postponeDigest } from '../notifications/schedule-digests.ts';
import { findVisits } from '../notifications/visits.ts';
import type { DigestRecord, NotificationRecord } from '../store/records.ts';
import { anyOf, type Store } from '../store/store.ts';
import { toDigestMailing, toNoticeMailing } from './digest-mailings.ts';

const BATCH_SIZE = 100;
/** Notifications of just before a digest may not be stored yet. */
const GRACE_MS = 30_000;
const MAX_ITEMS = 30;

/** More immediate emails that are due at once, as after quiet hours, are collected too. */
const MAX_SEPARATE_EMAILS = 3;

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

async function sendDigest(deps: Deps, digest: DigestRecord): Promise<void> {
  const { store, directory } = deps;
  const { _id, userId, at } = digest;
  const user = directory.user(userId);
  const now = new Date();
  const undisturbed = user ? findUndisturbedTimeOf(user, now) : now;
  if (undisturbed > now && !(await happenedBeforeRestore(store, at))) {
    // A pause or quiet hours have begun since its time was chosen.
    await postponeDigest(store, digest, endOfMinute(undisturbed));
    await store.digests.deleteOne({ _id });
    return;
  }
  const collected = await store.notifications
    .find({ personId: userId, digestAt: at }, EMAILABLE_FIELDS)
    .sort({ createdAt: -1, _id: -1 })
    .lean();
  // Another pod may have ended it, and removed its notifications while they were read.
  if ((await store.digests.exists({ _id })) === null) return;
  if (user && isActive(user)) await queueDigest(deps, { digest, user, collected });
  // Deleted after the emails: a crash before it queues the same ones again.
  await store.digests.deleteOne({ _id });
  await detach(store, digest, collected);
}

/** Removes the time of a digest that has ended, so that redelivered events do not restore it. */
async function detach(store: Store, digest: DigestRecord, collected: Collected): Promise<void> {
  const readAt = new Date(Math.max(0, ...collected.map(({ recordedAt }) => recordedAt?.getTime() ?? 0)));
  await store.notifications.updateMany(
    {
      personId: digest.userId,
      _id: anyOf(collected.map(({ _id }) => _id)),
      digestAt: digest.at,
      recordedAt: { $not: { $gt: readAt } },
    },
    { $unset: { digestAt: 1 } },
  );
  // An event may have been merged into one of them since it was read.
  await postponeDigest(store, digest, endOfMinute(new Date()));
}

/** Latest first. */
type Collected = readonly (Emailable & Pick<NotificationRecord, '_id'>)[];

type DigestParams = { digest: DigestRecord; user: DirectoryUser; collected: Collected };

async function queueDigest(deps: Deps, { digest: { _id, at }, user, collected }: DigestParams): Promise<void> {
  const { store } = deps;
  const situation = { user, visitedAt: (await findVisits(store, [user._id])).get(user._id), now: new Date() };
  const unread = collected.filter((known) => awaitsEmail(known, situation));
  if (unread.length === 0) return;
  const latestIds = unread.slice(0, MAX_ITEMS).map(({ _id }) => _id);
  const records = await store.notifications
    .find({ personId: user._id, _id: anyOf(latestIds) })
    .sort({ createdAt: -1, _id: -1 })
    .lean();
  const id = deterministicId(_id);
  const event = { id, requestId: id, occurredAt: at.toISOString() };
  const separate = selectSeparate(records);
  for (const record of separate) {
    const replyTarget = await findReplyTarget(store, record, user);
    await deps.queueEmails(toNoticeMailing(deps, { event, record, user, replyTarget }));
  }
  const others = records.filter((record) => !separate.includes(record));
  if (others.length === 0) return;
  const separateIds = separate.map(({ _id }) => _id);
  const notificationIds = unread.map(({ _id }) => _id).filter((known) => !separateIds.includes(known));
  const [single] = notificationIds.length === 1 ? others : [];
  const replyTarget = single && (await findReplyTarget(store, single, user));
  await deps.queueEmails(toDigestMailing(deps, { event, records: others, notificationIds, user, replyTarget }));
}

function selectSeparate(records: readonly NotificationRecord[]): NotificationRecord[] {
  const immediate = records.filter(({ notice }) => notice?.channels.email === 'immediate');
  return immediate.length <= MAX_SEPARATE_EMAILS ? immediate : [];
}
