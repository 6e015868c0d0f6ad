// Browsers import this module, so it has no schemas.

import { MANDATORY_KINDS, type NoticeKind, type NoticeReason } from './kinds.ts';

/** Where a user turns off what they were notified of. */
export const NOTICE_SETTINGS = ['channels', 'conversation', 'thread'] as const;
export type NoticeSetting = (typeof NOTICE_SETTINGS)[number];

const SETTINGS: Partial<Record<NoticeReason, NoticeSetting>> = {
  conversation: 'conversation',
  group_mentioned: 'conversation',
  everyone_mentioned: 'conversation',
  followed_thread: 'thread',
};

/** Returns the setting that a notification links to; null for mandatory ones, which cannot be turned off. */
export function findNoticeSetting({ kind, reason }: { kind: NoticeKind; reason: NoticeReason }): NoticeSetting | null {
  return MANDATORY_KINDS.includes(kind) ? null : (SETTINGS[reason] ?? 'channels');
}
