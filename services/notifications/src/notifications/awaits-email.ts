import type { DirectoryUser } from '@atrium/proto-events/people';
import type { NotificationRecord } from '../store/records.ts';
import { wantsEmail } from './notices.ts';

/** The fields by which it is decided whether a notification is emailed. */
export type Emailable = Pick<NotificationRecord, 'read' | 'isRetracted' | 'startsAt' | 'notice' | 'recordedAt'>;
export const EMAILABLE_FIELDS = { read: 1, isRetracted: 1, startsAt: 1, notice: 1, recordedAt: 1 } as const;

type Situation = { user: DirectoryUser; visitedAt: Date | undefined; now: Date };

/** Whether a notification that is due in a digest is still unread, and its user wants emails of its kind. */
export function awaitsEmail(
  { read, isRetracted, startsAt, notice, recordedAt }: Emailable,
  { user, visitedAt, now }: Situation,
): boolean {
  if (read || isRetracted) return false;
  if (notice && !wantsEmail(user, notice)) return false;
  // A reminder of what has begun is of no use.
  if (startsAt && startsAt <= now) return false;
  // What was to be emailed immediately is not if the user has seen it in the app.
  const canBeSeen = notice?.channels.email !== 'digest' && notice?.channels.app !== false;
  return !canBeSeen || !visitedAt || !recordedAt || recordedAt >= visitedAt;
}
