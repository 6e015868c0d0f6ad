import { findUndisturbedTime } from '@atrium/proto-events/notices/quiet-times';
import { resolveNotices } from '@atrium/proto-events/notices/settings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Store } from '../store/store.ts';

/** Moves the emails that were postponed for a user to the end of their present pause or quiet hours. */
export async function rescheduleEmails(
  { emails }: Store,
  { _id, preferences, timezone }: DirectoryUser,
): Promise<void> {
  const now = new Date();
  const notBefore = findUndisturbedTime(resolveNotices(preferences?.notices), timezone, now);
  await emails.updateMany(
    { recipientId: _id, state: 'queued', attempts: 0, notBefore: { $gt: now } },
    { $set: { notBefore, nextAttemptAt: notBefore } },
  );
}
