import { decideNotice, type NoticeDecision } from '@atrium/proto-events/notices/decide';
import type { NoticeKind, NoticeLevel, NoticeReason } from '@atrium/proto-events/notices/kinds';
import { resolveNotices } from '@atrium/proto-events/notices/settings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { type Recipient, toRecipient } from '../users/find-users.ts';

export type Notice = { kind: NoticeKind; reason: NoticeReason; level?: NoticeLevel };

/** A notice that is the same for all users, or depends on each of them. */
export type NoticeOf = Notice | ((userId: string) => Notice);

const noticeOf = (notice: NoticeOf, userId: string): Notice => (typeof notice === 'function' ? notice(userId) : notice);

/** Events can be ahead of the directory: a user who is not in it yet has the defaults. */
export function decide(
  user: DirectoryUser | undefined,
  userId: string,
  { notice, lastSeenAt, at = new Date() }: { notice: NoticeOf; lastSeenAt: Date | undefined; at?: Date },
): NoticeDecision {
  return decideNotice({
    ...noticeOf(notice, userId),
    lastSeenAt,
    settings: resolveNotices(user?.preferences?.notices),
    timezone: user?.timezone ?? 'UTC',
    at,
  });
}

/** Selects the users who get an email of their own, rather than a digest or none, and when it may be sent. */
export function toEmailRecipients(
  users: readonly DirectoryUser[],
  notice: NoticeOf,
  visits: ReadonlyMap<string, Date> = new Map(),
): Recipient[] {
  return users.flatMap((user) => {
    const { kind, reason, channels } = decide(user, user._id, { notice, lastSeenAt: visits.get(user._id) });
    const { email } = channels;
    if (!email || email.isDigest) return [];
    return [{ ...toRecipient(user), notBefore: email.at, notice: { kinds: [kind], reason } }];
  });
}
