import { decideNotice, isEmailed, type NoticeDecision } from '@atrium/proto-events/notices/decide';
import type { NoticeKind, NoticeLevel, NoticeReason } from '@atrium/proto-events/notices/kinds';
import { findNoticeLevel } from '@atrium/proto-events/notices/levels';
import { findDigestTime, findUndisturbedTime } from '@atrium/proto-events/notices/quiet-times';
import { resolveNotices } from '@atrium/proto-events/notices/settings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { type Recipient, toRecipient } from '../users/find-users.ts';

export type Notice = {
  kind: NoticeKind;
  reason: NoticeReason;
  /** What the user has chosen for a conversation. */
  level?: NoticeLevel;
  /** The project, meeting, or series for which users may have chosen a level. */
  levelId?: string;
};

/** The meetings of a series have its level. */
export const toMeetingLevelId = ({
  meetingId,
  seriesId,
}: {
  meetingId: string;
  seriesId?: string | null | undefined;
}) => seriesId ?? meetingId;

/** A notice that is the same for all users, or depends on each of them. */
export type NoticeOf = Notice | ((userId: string) => Notice);

export const noticeOf = (notice: NoticeOf, userId: string): Notice =>
  typeof notice === 'function' ? notice(userId) : notice;

/** Events can be ahead of the directory: a user who is not in it yet has the defaults. */
export function decide(
  user: DirectoryUser | undefined,
  userId: string,
  { notice, lastSeenAt, at = new Date() }: { notice: NoticeOf; lastSeenAt: Date | undefined; at?: Date },
): NoticeDecision {
  const { levelId, ...noticeOfUser } = noticeOf(notice, userId);
  return decideNotice({
    level: findLevel(user, levelId),
    ...noticeOfUser,
    lastSeenAt,
    settings: resolveNotices(user?.preferences?.notices),
    timezone: user?.timezone ?? 'UTC',
    at,
  });
}

const findLevel = (user: DirectoryUser | undefined, levelId: string | undefined): NoticeLevel | undefined =>
  levelId === undefined ? undefined : findNoticeLevel(user?.preferences?.noticeLevels, levelId);

/** Whether a user still wants an email that is queued or to be collected, by their present settings. */
export const wantsEmail = (user: DirectoryUser, { kind, levelId }: Pick<Notice, 'kind' | 'levelId'>): boolean =>
  isEmailed({ kind, level: findLevel(user, levelId), settings: resolveNotices(user.preferences?.notices) });

/** Returns when a user may be disturbed: at the time itself, or at the end of their pause or quiet hours. */
export const findUndisturbedTimeOf = ({ preferences, timezone }: DirectoryUser, at: Date): Date =>
  findUndisturbedTime(resolveNotices(preferences?.notices), timezone, at);

/** Returns the next time at which a user wants a digest. */
export const findDigestTimeOf = ({ preferences, timezone }: DirectoryUser, at: Date): Date =>
  findDigestTime(resolveNotices(preferences?.notices), timezone, at);

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
    const { levelId } = noticeOf(notice, user._id);
    const emailNotice = { kinds: [kind], reason, ...(levelId !== undefined && { levelId }) };
    return [{ ...toRecipient(user), notBefore: email.at, notice: emailNotice }];
  });
}
