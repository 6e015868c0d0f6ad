import type { Message } from '@atrium/proto-events/http/chat/messages';
import { buildUser } from './build-user.ts';

/** Builds a message that was sent one second after the message with the previous seq. */
export function buildMessage(seq: number, overrides: Partial<Message> = {}): Message {
  const time = new Date(Date.UTC(2026, 10, 20, 9, 0, seq)).toISOString();
  return {
    _id: seq.toString(16).padStart(24, '0'),
    conversation: 'c'.repeat(24),
    seq,
    sender: buildUser('a'),
    content: `message ${seq}`,
    attachments: [],
    reactions: [],
    tasks: [],
    summary: null,
    forwarded: null,
    poll: null,
    thread: null,
    pinned: null,
    mentions: { users: [], here: false, everyone: false, groups: [] },
    type: 'text',
    clientMessageId: null,
    createdAt: time,
    updatedAt: time,
    editedAt: null,
    deleted: false,
    ...overrides,
  };
}
