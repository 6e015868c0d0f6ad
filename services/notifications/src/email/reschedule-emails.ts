import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { findUndisturbedTimeOf } from '../notifications/notices.ts';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { waitForUser } from '../users/find-users.ts';
import { isTooOld } from './due-emails.ts';

/**
 * Moves the emails that were postponed for a user to the end of their present pause or quiet hours, and writes queued
 * ones in their present time zone.
 */
export async function rescheduleEmails({ emails }: Store, user: DirectoryUser): Promise<void> {
  const { _id: recipientId, timezone } = user;
  const now = new Date();
  const notBefore = findUndisturbedTimeOf(user, now);
  // Not those that have it: FerretDB writes the whole record, which a process may just be sending.
  await emails.updateMany({ recipientId, state: 'queued', timezone: { $ne: timezone } }, { $set: { timezone } });
  await emails.updateMany(
    { recipientId, state: 'queued', notBefore: { $gt: now } },
    { $set: { notBefore, nextAttemptAt: notBefore } },
  );
}

/**
 * Postpones the emails of a recipient who has begun a pause or quiet hours since they were queued, except those that
 * cannot be turned off. Returns whether this one is postponed.
 */
export async function postponeEmails(
  { store, directory }: { store: Store; directory: Directory },
  email: EmailRecord,
): Promise<boolean> {
  const { recipientId, notice } = email;
  if (!notice || isTooOld(email)) return false;
  const user = await waitForUser(directory, recipientId);
  const now = new Date();
  const notBefore = user ? findUndisturbedTimeOf(user, now) : now;
  if (notBefore <= now) return false;
  await store.emails.updateMany(
    { recipientId, state: 'queued', notice: { $exists: true }, nextAttemptAt: { $lt: notBefore } },
    { $set: { notBefore, nextAttemptAt: notBefore } },
  );
  return true;
}
