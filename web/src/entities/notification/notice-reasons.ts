import type { NoticeKind, NoticeReason } from '@atrium/proto-events/notices/kinds';
import { CONVERSATION_CHOICES, messagePath, THREAD_FOLLOWING } from '../message/message-path.ts';
import type { Notification } from './use-notifications.ts';

const REASON_TEXTS: Readonly<Record<NoticeReason, string>> = {
  mentioned: 'Someone mentioned you.',
  group_mentioned: 'Someone mentioned a group that you belong to.',
  everyone_mentioned: 'Someone mentioned everyone in the conversation.',
  conversation: 'You’re in the conversation.',
  followed_thread: 'You follow the thread.',
  own_message: 'It’s about your message.',
  assignee: 'The task is assigned to you.',
  involved: 'You created the task, are assigned to it, or commented on it.',
  project_member: 'You’re a member of the project.',
  project_manager: 'You manage the project.',
  administrator: 'You’re an administrator.',
  participant: 'You’re invited to the meeting.',
  organizer: 'You organize the meeting.',
  reader: 'The document was shared with you.',
  own_request: 'You asked to be reminded.',
  own_account: 'It’s about the security of your account.',
};

/** Newer servers may send reasons that this page does not know. */
export const reasonText = ({ notice }: Notification): string =>
  notice === null ? 'It’s the result of something you did.' : (REASON_TEXTS[notice.reason] ?? 'It concerns you.');

export type SettingLink = { label: string; to: string };

/** The fragment of the URL with which the settings focus the channels of a kind. */
export const noticeKindFragment = (kind: NoticeKind): string => `#notifications-${kind.replaceAll('_', '-')}`;

/** Returns where the user turns off such notifications; undefined if that is not possible. */
export function findSettingLink({ notice, subject: { place } }: Notification): SettingLink | undefined {
  if (!notice || notice.setting === null) return undefined;
  if (notice.setting === 'conversation' && place)
    return { label: 'Change in the conversation', to: `/chat?c=${place.conversation}${CONVERSATION_CHOICES}` };
  if (notice.setting === 'thread' && place)
    return { label: 'Unfollow the thread', to: `${messagePath({ ...place, root: place.thread })}${THREAD_FOLLOWING}` };
  return { label: 'Change in Account Settings', to: `/settings${noticeKindFragment(notice.kind)}` };
}
