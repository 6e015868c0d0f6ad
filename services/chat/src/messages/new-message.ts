import { messageSent } from '@atrium/proto-events/events/chat';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import type { AttachmentRow } from '../model/messages/attachment-repository.ts';
import type { NewMessage, SentRow } from '../model/messages/sending-repository.ts';

export const REUSED_ID = 'This clientMessageId was used for another message';

export type MessageContent = {
  conversation: string;
  content: string;
  clientMessageId?: string | undefined;
  removesDraft?: boolean;
};

export type SentMessage = SentRow & {
  /** Missing for a retry. */
  attachments?: AttachmentRow[];
};

export function newMessage(
  { userId: senderId, role }: { userId: string; role?: Caller['role'] },
  messageId: string,
  { conversation, content, clientMessageId, removesDraft = false }: MessageContent,
): { message: NewMessage; event: OutboxRow } {
  const message = {
    conversation_id: conversation,
    message_id: messageId,
    sender_id: senderId,
    content,
    client_message_id: clientMessageId ?? null,
    is_manager: role === 'admin',
    removes_draft: removesDraft,
  };
  const event = outboxRow({
    event: messageSent,
    // The SQL statement sets the seq.
    data: { conversationId: conversation, messageId, seq: 0, senderId },
    // Does not use the conversation: consumers keep the highest seq, so messages can be published in any order.
    aggregate: messageId,
    actorId: senderId,
  });
  return { message, event };
}
