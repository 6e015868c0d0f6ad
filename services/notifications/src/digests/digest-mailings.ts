import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-emails.ts';
import type { ContentOf } from '../email/templates/email-content.ts';
import type { EmailNotice, NoticeRecord, NotificationRecord, ReplyTarget } from '../store/records.ts';
import { findActorName, toRecipient } from '../users/find-users.ts';
import { notificationPath } from './notification-path.ts';

type MailingDeps = Pick<Deps, 'directory'>;
type MailingParams = { event: Mailing['event']; user: DirectoryUser; replyTarget: ReplyTarget | undefined };

/** An email about one notification. */
export function toNoticeMailing(
  deps: MailingDeps,
  { event, record, user, replyTarget }: MailingParams & { record: NotificationRecord },
): Mailing {
  const { notice, eventKeys = [] } = record;
  return {
    event,
    group: record._id,
    kind: 'notice',
    subjectId: record.subjectId,
    content: {
      template: 'notice',
      item: toItem(deps, record),
      about: findGroupedItem(record),
      eventCount: Math.max(eventKeys.length, 1),
    },
    recipients: [
      {
        ...toRecipient(user),
        ...(notice && { notice: toEmailNotice(notice) }),
        notificationIds: [record._id],
        ...(replyTarget && { replyTarget }),
      },
    ],
  };
}

const toEmailNotice = ({ kind, reason, levelId }: NoticeRecord): EmailNotice => ({
  kinds: [kind],
  reason,
  ...(levelId !== undefined && { levelId }),
});

type DigestParams = MailingParams & {
  /** The latest ones. */
  records: readonly NotificationRecord[];
  /** Of all. */
  notificationIds: string[];
};

/** An email about several notifications. */
export function toDigestMailing(
  deps: MailingDeps,
  { event, records, notificationIds, user, replyTarget }: DigestParams,
): Mailing {
  const kinds = [...new Set(records.flatMap(({ notice }) => notice?.kind ?? []))];
  return {
    event,
    kind: 'digest',
    subjectId: user._id,
    content: {
      template: 'digest',
      items: records.map((record) => toItem(deps, record)),
      total: notificationIds.length,
    },
    recipients: [
      {
        ...toRecipient(user),
        ...(kinds.length > 0 && { notice: { kinds, reason: null } }),
        notificationIds,
        ...(replyTarget && { replyTarget }),
      },
    ],
  };
}

const toItem = ({ directory }: MailingDeps, record: NotificationRecord): ContentOf<'notice'>['item'] => ({
  kind: record.kind,
  // A user who joined or left a project, rather than the one who changed it.
  actor: findActorName(directory, record.aboutUserId ?? record.actorId),
  title: record.title || SAVED_MESSAGE,
  ...(record.dueDate && { dueDate: record.dueDate.toISOString() }),
  path: notificationPath(record),
});

const SAVED_MESSAGE = 'a message that you saved';

/** Reactions belong to the conversation or thread of their message; reminders to nothing. */
export function findGroupedItem({
  resource,
  subjectId,
  title,
  place,
}: NotificationRecord): ContentOf<'notice'>['about'] {
  if (title === '') return null;
  if (!place) return { resource, id: subjectId };
  const { conversation, thread } = place;
  return thread === undefined ? { resource: 'conversation', id: conversation } : { resource: 'thread', id: thread };
}
