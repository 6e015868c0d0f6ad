// Browsers import this module, so it has no schemas.

/** What a notification is about, which users choose channels for. */
export const NOTICE_KINDS = [
  'mention',
  'direct_message',
  'thread_reply',
  'channel_message',
  'reaction',
  'task_assigned',
  'task_comment',
  'task_due',
  'task_changed',
  'project_added',
  'project_manager',
  'meeting_invitation',
  'meeting_change',
  'meeting_cancellation',
  'meeting_response',
  'meeting_reminder',
  'meeting_minutes',
  'document_shared',
  'message_reminder',
  'security',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Why a user receives a notification. */
export const NOTICE_REASONS = [
  'mentioned',
  'group_mentioned',
  'everyone_mentioned',
  'conversation',
  'followed_thread',
  'own_message',
  'assignee',
  'involved',
  'project_member',
  'project_manager',
  'administrator',
  'participant',
  'organizer',
  'reader',
  'own_request',
  'own_account',
] as const;
export type NoticeReason = (typeof NOTICE_REASONS)[number];

/** What a user receives about one conversation, project, document, or meeting. */
export const NOTICE_LEVELS = ['all', 'mentions', 'none'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

export const EMAIL_CHOICES = ['immediate', 'digest', 'off'] as const;
export type EmailChoice = (typeof EMAIL_CHOICES)[number];

/** `app` is the bell and the inbox, `push` a notification of the device. */
export type ChannelChoice = { app: boolean; push: boolean; email: EmailChoice };

export const isSent = ({ app, push, email }: ChannelChoice): boolean => app || push || email !== 'off';

const choice = (app: boolean, push: boolean, email: EmailChoice): ChannelChoice => ({ app, push, email });

export const DEFAULT_CHANNELS: Readonly<Record<NoticeKind, ChannelChoice>> = {
  mention: choice(true, true, 'immediate'),
  direct_message: choice(true, true, 'immediate'),
  thread_reply: choice(true, true, 'digest'),
  channel_message: choice(false, false, 'off'),
  reaction: choice(true, false, 'off'),
  task_assigned: choice(true, true, 'immediate'),
  task_comment: choice(true, true, 'immediate'),
  task_due: choice(true, true, 'immediate'),
  task_changed: choice(true, false, 'immediate'),
  project_added: choice(true, true, 'immediate'),
  project_manager: choice(true, false, 'off'),
  meeting_invitation: choice(true, true, 'immediate'),
  meeting_change: choice(true, true, 'immediate'),
  meeting_cancellation: choice(true, true, 'immediate'),
  meeting_response: choice(true, false, 'off'),
  meeting_reminder: choice(true, true, 'immediate'),
  meeting_minutes: choice(true, false, 'off'),
  document_shared: choice(true, true, 'off'),
  message_reminder: choice(true, true, 'off'),
  security: choice(true, true, 'immediate'),
};

/** A user who turned these off would not learn that someone else uses their account. */
export const MANDATORY_KINDS: readonly NoticeKind[] = ['security'];

/** Their emails contain a calendar file, which a digest cannot. */
export const CALENDAR_KINDS: readonly NoticeKind[] = ['meeting_invitation', 'meeting_change', 'meeting_cancellation'];

/** Addressed to the user, so that they are sent at the level `mentions` too. */
export const ADDRESSED_KINDS: readonly NoticeKind[] = [
  'mention',
  'thread_reply',
  'reaction',
  'task_assigned',
  'task_due',
  'project_added',
  'meeting_invitation',
  'meeting_cancellation',
  'meeting_reminder',
  'document_shared',
  'message_reminder',
];

/** Local times, `HH:MM`. Quiet hours that end before they start last until the next day. */
export type QuietHours = { start: string; end: string };

export type NoticeSettings = {
  channels: Readonly<Record<NoticeKind, ChannelChoice>>;
  /** Local times of emails that collect notifications, `HH:MM`, in order. */
  digestTimes: readonly string[];
  quietHours: QuietHours | null;
  /** Until when nothing is pushed or emailed. */
  pausedUntil: string | null;
};

export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  channels: DEFAULT_CHANNELS,
  digestTimes: ['08:00'],
  quietHours: null,
  pausedUntil: null,
};
