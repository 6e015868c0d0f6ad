import { messageSent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { type AttachmentRow, findAttachmentsOf } from '../model/attachment-repository.ts';
import { insertMessage, type NewMessage, type SentRow, sendOnce } from '../model/message-repository.ts';
import { presentAttachment, presentMessage, presentMessageFor } from '../model/present-message.ts';
import { findReadersOf, UNREAD } from './read-by.ts';

type MessageContent = { conversation: string; content: string; clientMessageId?: string | undefined };

/** `socketId`: receives the acknowledgment instead of `message:new`. */
type SendMessageParams = MessageContent & { socketId?: string };

export async function sendMessage(deps: Deps, caller: Caller, params: SendMessageParams): Promise<Message> {
  const { message, event } = newMessage(caller.userId, newId(), params);
  const sent = await sendOnce(() => insertMessage(deps.db, message, event));
  if (!sent) throw notFound('Conversation');
  broadcastSent(deps, sent, params.socketId);
  return presentSentMessage(deps, caller, sent);
}

export function newMessage(
  senderId: string,
  messageId: string,
  { conversation, content, clientMessageId }: MessageContent,
): { message: NewMessage; event: OutboxRow } {
  const message = {
    conversation_id: conversation,
    message_id: messageId,
    sender_id: senderId,
    content,
    // Clients cannot send `system` messages.
    type: 'text',
    client_message_id: clientMessageId ?? null,
  };
  const event = outboxRow({
    event: messageSent,
    // The SQL statement sets the seq.
    data: { conversationId: conversation, messageId, seq: 0, senderId },
    // Not the conversation: consumers keep the highest seq, so messages can be published in any order.
    aggregate: messageId,
    actorId: senderId,
  });
  return { message, event };
}

/** `attachments`: missing for a retry. */
export type Sent = SentRow & { attachments?: AttachmentRow[] };

/** Call it after the commit. */
export function broadcastSent(deps: Deps, sent: Sent, exceptSocket?: string): void {
  crashPoint('after-message-before-announcement');
  if (sent.repeated) return;
  deps.db.committed();
  const files = sent.attachments?.map(presentAttachment);
  const message = { ...presentMessage(deps.directory, sent, files), readBy: UNREAD };
  deps.broadcaster.messageSent(message, { version: sent.version, exceptSocket });
}

export async function presentSentMessage(deps: Deps, caller: Caller, sent: Sent): Promise<Message> {
  const [readBy, files] = sent.repeated
    ? await Promise.all([findReadersOf(deps.db, deps.directory, sent), findAttachmentsOf(deps.db, sent)])
    : [UNREAD, sent.attachments ?? []];
  return presentMessageFor(deps, sent, { viewer: caller, readBy, files });
}
