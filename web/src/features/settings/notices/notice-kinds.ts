import type { NoticeKind } from '@atrium/proto-events/notices/kinds';

type KindText = {
  kind: NoticeKind;
  label: string;
  hint?: string;
};

/** The kinds that users can choose channels for, in the order of the screen. */
export const NOTICE_GROUPS = [
  {
    title: 'Messages',
    kinds: [
      {
        kind: 'mention',
        label: 'Mentions',
        hint: 'When a message or a comment mentions you, your department or project, or everyone.',
      },
      { kind: 'direct_message', label: 'Direct messages' },
      { kind: 'thread_reply', label: 'Replies in threads you follow' },
      { kind: 'reaction', label: 'Reactions to your messages' },
      {
        kind: 'channel_message',
        label: 'All messages in channels',
        hint: 'In channels that notify you of all messages.',
      },
      {
        kind: 'message_reminder',
        label: 'Message reminders',
        hint: 'When it’s time for a message you asked to be reminded of.',
      },
    ],
  },
  {
    title: 'Tasks',
    kinds: [
      { kind: 'task_assigned', label: 'Tasks assigned to you' },
      {
        kind: 'task_comment',
        label: 'Comments on tasks',
        hint: 'On your tasks, and on tasks you created or commented on.',
      },
      {
        kind: 'task_changed',
        label: 'Changes to your tasks',
        hint: 'When the status or a date of a task assigned to you changes.',
      },
      {
        kind: 'task_due',
        label: 'Tasks due soon',
        hint: 'At the start of your working day, once before a task assigned to you is due.',
      },
    ],
  },
  {
    title: 'Projects',
    kinds: [
      { kind: 'project_added', label: 'Projects you’re added to' },
      {
        kind: 'project_manager',
        label: 'Projects you manage',
        hint: 'When someone joins or leaves, and when you become the manager.',
      },
    ],
  },
  {
    title: 'Meetings',
    kinds: [
      { kind: 'meeting_invitation', label: 'Meeting invitations' },
      {
        kind: 'meeting_change',
        label: 'Changes to meetings',
        hint: 'When a meeting is moved, or its title, place, or other details change.',
      },
      {
        kind: 'meeting_cancellation',
        label: 'Cancelled meetings',
        hint: 'Also when you’re removed from a meeting.',
      },
      {
        kind: 'meeting_response',
        label: 'Responses to your meetings',
        hint: 'When someone responds to a meeting you organize.',
      },
      {
        kind: 'meeting_reminder',
        label: 'Meeting reminders',
        hint: 'You choose how early under “Meetings” above.',
      },
      {
        kind: 'meeting_minutes',
        label: 'Summaries and decisions of meetings',
        hint: 'When someone closes a meeting you were invited to.',
      },
    ],
  },
  {
    title: 'Documents',
    kinds: [{ kind: 'document_shared', label: 'Documents shared with you' }],
  },
] as const satisfies readonly { title: string; kinds: readonly KindText[] }[];

export type ShownKind = (typeof NOTICE_GROUPS)[number]['kinds'][number]['kind'];
export type ShownKindText = KindText & { kind: ShownKind };

export const SHOWN_KINDS: readonly ShownKindText[] = NOTICE_GROUPS.flatMap(
  ({ kinds }): readonly ShownKindText[] => kinds,
);
