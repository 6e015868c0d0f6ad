import { messageSent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { isNotNullViolation, isUniqueViolation } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import { type AttachmentRow, findAttachmentsOf } from '../attachments/attachment-repository.ts';
import { presentAttachment } from '../attachments/present-attachment.ts';
import type { Deps } from '../deps.ts';
import { insertMessage, type NewMessage, type SentRow } from './message-repository.ts';
import { presentMessage, presentMessageFor } from './present-message.ts';
import { findReadersOf, UNREAD } from './read-by.ts';

export type SendContext = {
  conversation: string;
  content: string;
  clientMessageId?: string | undefined;
  /** The sending socket, which receives the acknowledgment instead of `message:new`. */
  socketId?: string;
};

/** A repeated `clientMessageId` returns the first message and is not broadcast again. */
export async function sendMessage(deps: Deps, caller: Caller, context: SendContext): Promise<Message> {
  const insert = async () => {
    const { message, event } = newMessage(caller, { ...context, messageId: newId() });
    return insertMessage(deps.db, message, event);
  };
  return presentSentMessage(deps, caller, await persistAndBroadcast(deps, { insert, socketId: context.socketId }));
}

/** `attachments`: missing for a retry. */
export type Sent = SentRow & { attachments?: AttachmentRow[] };

type Insert = () => Promise<Sent | undefined>;

/** Does not wait for the broadcast. Throws `not_found` if the sender is not a participant. */
export async function persistAndBroadcast(
  deps: Deps,
  { insert, socketId }: { insert: Insert; socketId?: string | undefined },
): Promise<Sent> {
  const sent = await insertOnce(insert);
  if (!sent) throw notFound('Conversation');
  crashPoint('after-message-before-announcement');
  if (sent.repeated) return sent;
  deps.db.committed();
  const files = sent.attachments?.map(presentAttachment);
  const message = { ...presentMessage(deps.directory, sent, files), readBy: UNREAD };
  deps.broadcaster.messageSent(message, { version: sent.version, exceptSocket: socketId });
  return sent;
}

export async function presentSentMessage(deps: Deps, caller: Caller, sent: Sent): Promise<Message> {
  const [readBy, files] = sent.repeated
    ? await Promise.all([findReadersOf(deps.db, deps.directory, sent), findAttachmentsOf(deps.db, sent)])
    : [UNREAD, sent.attachments ?? []];
  return presentMessageFor(deps, sent, { viewer: caller, readBy, files });
}

async function insertOnce(insert: Insert): Promise<Sent | undefined> {
  try {
    return await insert();
  } catch (error) {
    // A concurrent retry has inserted the message, so the second attempt finds it.
    if (isUniqueViolation(error, 'messages_sent_once')) return insert();
    // The sender was removed concurrently: there is no participant row to take `sender_id` from.
    if (isNotNullViolation(error, 'sender_id')) return undefined;
    throw error;
  }
}

type NewMessageParams = Pick<SendContext, 'conversation' | 'content' | 'clientMessageId'> & { messageId: string };

/** A message to insert, with its event. */
export function newMessage(caller: Caller, { conversation, content, clientMessageId, messageId }: NewMessageParams) {
  const message: NewMessage = {
    conversation_id: conversation,
    message_id: messageId,
    sender_id: caller.userId,
    content,
    // Clients cannot send `system` messages.
    type: 'text',
    client_message_id: clientMessageId ?? null,
  };
  const event = outboxRow({
    event: messageSent,
    // The SQL statement sets the seq.
    data: { conversationId: conversation, messageId, seq: 0, senderId: caller.userId },
    // Not the conversation: consumers keep the highest seq, so messages can be published in any order.
    aggregate: messageId,
    actorId: caller.userId,
  });
  return { message, event };
}
