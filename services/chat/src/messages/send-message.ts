import { messageSent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import type { AttachmentRow } from '../model/attachment-repository.ts';
import { insertMessage, type NewMessage, resolveSendConflicts, type SentRow } from '../model/message-repository.ts';
import { presentAttachment, presentMessage, presentMessageFor } from '../model/present-message.ts';
import { presentStoredMessage } from './present-stored-message.ts';
import { UNREAD } from './read-by.ts';

type MessageContent = { conversation: string; content: string; clientMessageId?: string | undefined };

type SendMessageParams = MessageContent & {
  /** This socket receives the acknowledgment instead of `message:new`. */
  socketId?: string;
};

export async function sendMessage(deps: Deps, caller: Caller, params: SendMessageParams): Promise<Message> {
  const { message, event } = newMessage(caller.userId, newId(), params);
  const sentMessage = await resolveSendConflicts(() => insertMessage(deps.db, message, event));
  if (!sentMessage) throw notFound('Conversation');
  broadcastSentMessage(deps, sentMessage, params.socketId);
  return presentSentMessage(deps, caller, sentMessage);
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
    client_message_id: clientMessageId ?? null,
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

export type SentMessage = SentRow & {
  /** Missing for a retry. */
  attachments?: AttachmentRow[];
};

/** Call it after the commit. */
export function broadcastSentMessage(deps: Deps, sentMessage: SentMessage, exceptSocket?: string): void {
  crashPoint('after-message-before-announcement');
  if (sentMessage.is_retry) return;
  deps.db.notifyCommitted();
  const attachments = sentMessage.attachments?.map(presentAttachment);
  const message = { ...presentMessage(deps.directory, sentMessage, { attachments }), readBy: UNREAD };
  const { conversation_version: conversationVersion, unread_count } = sentMessage;
  deps.broadcaster.messageSent(message, { conversationVersion, unreadCount: unread_count ?? 0, exceptSocket });
}

export async function presentSentMessage(deps: Deps, caller: Caller, sentMessage: SentMessage): Promise<Message> {
  if (sentMessage.is_retry) return presentStoredMessage(deps, caller, sentMessage);
  const files = sentMessage.attachments ?? [];
  return presentMessageFor(deps, sentMessage, { caller, readBy: UNREAD, files, reactions: [] });
}
