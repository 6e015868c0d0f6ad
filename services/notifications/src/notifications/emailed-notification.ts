import { toEventKey } from '@atrium/service-kit/process/notification-ids';
import type { NotificationRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Identity } from './record-notifications.ts';

/** Finds the notification for which an email about an event was queued; null if it was withdrawn. */
export const findEmailed = (
  { notifications }: Store,
  { eventId, userId, kind, subjectId }: Identity,
): Promise<NotificationRecord | null> =>
  notifications.findOne({ subjectId, personId: userId, kind, emailKey: toEventKey(eventId) }).lean();

/**
 * Lets a later event that is merged into the notification be emailed. Returns false if one has been merged since it was
 * read.
 */
export async function forgetEmail({ notifications }: Store, { _id, recordedAt }: NotificationRecord): Promise<boolean> {
  const { matchedCount } = await notifications.updateOne(
    { _id, ...(recordedAt && { recordedAt }) },
    { $unset: { emailKey: 1 } },
  );
  return matchedCount === 1;
}
