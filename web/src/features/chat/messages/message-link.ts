import type { Message } from '@atrium/proto-events/http/chat-messages';
import { CONVERSATION, MESSAGE } from '../chat-params.ts';

/** The link to a message for participants of its conversation. */
export function linkTo({ conversation, seq }: Pick<Message, 'conversation' | 'seq'>): string {
  const search = new URLSearchParams({ [CONVERSATION]: conversation, [MESSAGE]: String(seq) });
  return `${location.origin}/chat?${search}`;
}
