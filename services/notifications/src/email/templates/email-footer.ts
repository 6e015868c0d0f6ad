import type { NoticeReason } from '@atrium/proto-events/notices/kinds';
import { findNoticeSetting } from '@atrium/proto-events/notices/reasons';
import type { EmailNotice } from '../../store/records.ts';
import type { EmailContent } from './email-content.ts';
import type { Link } from './email-layout.ts';

const REASON_TEXTS: Readonly<Record<NoticeReason, string>> = {
  mentioned: 'someone mentioned you',
  group_mentioned: 'someone mentioned a group that you belong to',
  everyone_mentioned: 'someone mentioned everyone in the conversation',
  conversation: 'you’re in the conversation',
  followed_thread: 'you follow the thread',
  own_message: 'it’s about your message',
  assignee: 'the task is assigned to you',
  involved: 'you created the task, are assigned to it, or commented on it',
  project_member: 'you’re a member of the project',
  project_manager: 'you manage the project',
  administrator: 'you’re an administrator',
  participant: 'you’re invited to the meeting',
  organizer: 'you organize the meeting',
  reader: 'the document was shared with you',
  own_request: 'you asked to be reminded',
  own_account: 'it’s about the security of your account',
};

/** Says why the recipient was notified. */
export function reasonText({ reason }: EmailNotice): string {
  const text = reason === null ? 'you chose to be emailed about these notifications' : REASON_TEXTS[reason];
  return `You received this email because ${text}.`;
}

/** Returns where the recipient changes whether they get such notifications. */
export function findSettingLink(content: EmailContent, { kinds, reason }: EmailNotice, publicUrl: string): Link {
  const [kind] = kinds;
  const setting = kind !== undefined && reason !== null ? findNoticeSetting({ kind, reason }) : 'channels';
  if (content.template === 'notice' && setting === 'thread')
    return { label: 'Unfollow the thread', url: `${publicUrl}${content.item.path}` };
  if (content.template === 'notice' && setting === 'conversation') {
    const conversation = new URL(content.item.path, publicUrl).searchParams.get('c');
    if (conversation !== null)
      return { label: 'Change in the conversation', url: `${publicUrl}/chat?c=${conversation}` };
  }
  return { label: 'Change in Account Settings', url: `${publicUrl}/settings#notifications` };
}
