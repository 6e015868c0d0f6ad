import { CHANGED, nameActors, PHRASES, type Phrase } from '@atrium/proto-events/notices/phrases';
import type { PushContent } from '@atrium/proto-events/notices/push-content';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { notificationPath } from '../digests/notification-path.ts';
import { formatDueDay } from '../email/templates/times.ts';
import type { PushRecord } from '../store/push-records.ts';
import type { NotificationRecord } from '../store/records.ts';
import { findActorName } from '../users/find-users.ts';

/** An encrypted push has at most 4,096 bytes (RFC 8291, section 4). */
const MAX_TEXT_LENGTH = 300;

export const toWithdrawal = ({ notificationId }: PushRecord, unreadCount: number): PushContent => ({
  action: 'withdraw',
  tag: notificationId,
  unreadCount,
});

export function toPushContent(directory: Directory, record: NotificationRecord, unreadCount: number): PushContent {
  const { title, text } = describe(directory, record);
  return {
    action: 'show',
    tag: record._id,
    title: title.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
    text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
    path: notificationPath(record),
    at: record.createdAt.toISOString(),
    unreadCount,
  };
}

type Description = { title: string; text: string };

function describe(directory: Directory, record: NotificationRecord): Description {
  const { kind, startsAt, dueDate } = record;
  if (startsAt) return { title: record.title, text: toStartText(startsAt) };
  if (dueDate) return { title: `Due on ${formatDueDay(dueDate.toISOString())}`, text: record.title };
  if (kind === 'chat.reminder.due') return { title: 'Reminder', text: 'A message that you saved' };
  // A user who joined or left a project, rather than the one who changed it.
  const name = findActorName(directory, record.aboutUserId ?? record.actorId);
  const actor = name === null ? null : nameActors(name, record.aboutUserId ? 1 : (record.actorIds?.length ?? 1));
  const phrase = PHRASES[kind] ?? CHANGED;
  if (record.text !== undefined) return describeMessage(directory, { ...record, text: record.text }, { actor, phrase });
  if (actor === null) return { title: phrase.passive, text: record.title };
  const text = [isolate(record.title), phrase.after].filter(Boolean).join(' ');
  return { title: `${actor} ${phrase.active}`, text };
}

type Wording = { actor: string | null; phrase: Phrase };

function describeMessage(
  directory: Directory,
  { title, text }: Pick<NotificationRecord, 'title'> & { text: string },
  { actor, phrase }: Wording,
): Description {
  const before = actor === null ? phrase.passive : `${actor} ${phrase.active}`;
  return { title: `${before} ${isolate(title)}`, text: text.replace(MENTION, (_, id) => toName(directory, id)) };
}

const MENTION = /<@([\w:]+)>/g;

const toName = (directory: Directory, id: string): string =>
  `@${findActorName(directory, id) ?? id.replace(/:.*/, '')}`;

function toStartText(startsAt: Date): string {
  const minutes = Math.round((startsAt.getTime() - Date.now()) / 60_000);
  if (minutes <= 0) return 'Starts now';
  return minutes === 1 ? 'Starts in a minute' : `Starts in ${minutes} minutes`;
}
