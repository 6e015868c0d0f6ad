import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory';
import type { MessageRow, Moment } from './message-repository.ts';

const iso = (moment: Moment) => new Date(moment).toISOString();

/** A message as every participant sees it; a deleted one without content. */
export function presentMessage(directory: Directory, row: MessageRow): Message {
  return {
    _id: row.message_id,
    conversation: row.conversation_id,
    seq: row.seq,
    sender: directory.summary(row.sender_id),
    content: row.deleted_at === null ? row.content : '',
    type: row.type,
    clientMessageId: row.client_message_id,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    editedAt: row.edited_at === null ? null : iso(row.edited_at),
    deleted: row.deleted_at !== null,
  };
}
