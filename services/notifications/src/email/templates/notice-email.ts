import { CHANGED, PHRASES, type Phrase } from '@atrium/proto-events/notices/phrases';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { ContentOf } from './email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { formatDueDay } from './times.ts';

type NoticeContent = ContentOf<'notice'>;
type Item = NoticeContent['item'];

/** An email about one notification of a kind that has no template of its own. */
export function noticeEmail({ item, about, eventCount, text }: NoticeContent, publicUrl: string): EmailLayout {
  const more = MORE_LABELS[item.kind];
  return {
    subject: getSubject(item, about?.resource),
    heading: noticeSentence(item),
    paragraphs: eventCount > 1 && more !== undefined ? [`This is the first of ${eventCount} new ${more}.`] : [],
    ...(text !== undefined && { message: text }),
    action: { label: getActionLabel(item.path, about?.resource), url: `${publicUrl}${item.path}` },
  };
}

/** Of kinds that the app words with more than a name and a title. */
const EMAIL_PHRASES: Readonly<Record<string, Phrase>> = {
  'meetings.meeting.due': { active: 'reminds you of', passive: 'Coming up:' },
  'chat.reminder.due': { active: 'reminds you of', passive: 'Reminder:' },
  'projects.member.departed': { active: 'left the project', passive: 'A team member left' },
  'projects.manager.departed': { active: 'left and no longer manages', passive: 'The project manager left' },
};

export function noticeSentence({ kind, actor, title, dueDate }: Item): string {
  if (dueDate !== undefined) return `Due on ${formatDueDay(dueDate)}: ${isolate(title)}`;
  const { active, passive, after } = EMAIL_PHRASES[kind] ?? PHRASES[kind] ?? CHANGED;
  if (actor === null) return [passive, isolate(title)].join(' ');
  return [isolate(actor), active, isolate(title), after].filter(Boolean).join(' ');
}

/** The same for all emails about one item, because some mail programs group only those. */
function getSubject(item: Item, resource: string | undefined): string {
  const title = isolate(item.title);
  if (resource === 'thread') return `Thread in ${title}`;
  if (resource !== 'conversation') return resource === undefined ? noticeSentence(item) : title;
  if (item.kind !== DIRECT_MESSAGE) return `Messages in ${title}`;
  return item.actor === null ? 'Direct message' : `Direct messages from ${isolate(item.actor)}`;
}

const DIRECT_MESSAGE = 'chat.direct_message.sent';

/** What further events of a kind are called. */
const MORE_LABELS: Readonly<Record<string, string>> = {
  [DIRECT_MESSAGE]: 'messages',
  'chat.channel_message.sent': 'messages',
  'chat.mention.sent': 'mentions',
  'chat.thread_reply.sent': 'replies',
  'chat.reaction.sent': 'reactions',
};

export function getActionLabel(path: string, resource: string | undefined): string {
  if (resource === undefined) return path.startsWith('/chat') ? 'Open the message' : 'Open Atrium';
  return ACTION_LABELS[resource] ?? 'Open Atrium';
}

const ACTION_LABELS: Readonly<Record<string, string>> = {
  conversation: 'Open the conversation',
  thread: 'Open the thread',
  document: 'Open the document',
  project: 'Open the project',
  task: 'Open the task',
  meeting: 'Open the meeting',
};
