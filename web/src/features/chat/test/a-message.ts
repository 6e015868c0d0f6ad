import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { User } from '@atrium/proto-events/people';

/** The first of its conversation, as the server tells it. */
export function aMessage(sender: User, clientMessageId: string | null = null): Message {
  const time = '2026-11-20T09:00:00.000Z';
  return {
    _id: 'd'.repeat(24),
    conversation: 'c'.repeat(24),
    seq: 1,
    sender,
    content: 'one',
    type: 'text',
    clientMessageId,
    createdAt: time,
    updatedAt: time,
    editedAt: null,
    deleted: false,
  };
}
