import type { Message } from '@atrium/proto-events/http/chat/messages';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { formatNumber } from '#lib/number-formats.ts';

const MAX_QUOTE_LENGTH = 80;

export const countReplies = (count: number): string => (count === 1 ? '1 reply' : `${formatNumber(count)} replies`);

/** Names the number in a badge. */
export const unreadReplies = (count: number): string => (count === 1 ? 'unread reply' : 'unread replies');

/** The start of a root. */
export function quote(root: Message): string {
  const line = messageLine(root);
  const chars = Array.from(line);
  return chars.length > MAX_QUOTE_LENGTH ? `${chars.slice(0, MAX_QUOTE_LENGTH).join('').trimEnd()}…` : line;
}
