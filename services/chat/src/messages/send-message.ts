import { messageSent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { isUniqueViolation } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import pg from 'pg';
import { type AttachmentRow, findAttachmentsOf } from '../attachments/attachment-repository.ts';
import { presentAttachment } from '../attachments/present-attachment.ts';
import type { Deps } from '../deps.ts';
import { insertMessage, type NewMessage, type SentRow } from './message-repository.ts';
import { answerMessage, presentMessage } from './present-message.ts';
import { findReadersOf, UNREAD } from './read-by.ts';

export type SendContext = {
  conversation: string;
  content: string;
  clientMessageId?: string | undefined;
  /** The socket it came by, which gets the acknowledgement instead of `message:new`. */
  socketId?: string;
};

/** Sends a message; the same `clientMessageId` again gives the first answer again and tells nobody twice. */
export async function sendMessage(deps: Deps, caller: Caller, sending: SendContext): Promise<Message> {
  const insert = async () => {
    const { message, event } = newMessage(caller, { ...sending, messageId: newId() });
    return insertMessage(deps.db, message, event);
  };
  return answerSent(deps, caller, await persistAndBroadcast(deps, { insert, socketId: sending.socketId }));
}

/** A message that is there, with the files that were just sent with it; of a repeat they are not known. */
export type Sent = SentRow & { attachments?: AttachmentRow[] };

type Insert = () => Promise<Sent | undefined>;

/** Inserts a message and announces it; waits for nothing else once it is committed. Throws `not_found` for somebody who does not take part. */
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
  deps.announce.messageSent(message, { version: sent.version, exceptSocket: socketId });
  return sent;
}

/** What its sender is answered, the same for a repeat. */
export async function answerSent(deps: Deps, caller: Caller, sent: Sent): Promise<Message> {
  const [readBy, files] = sent.repeated
    ? await Promise.all([findReadersOf(deps.db, deps.directory, sent), findAttachmentsOf(deps.db, sent)])
    : [UNREAD, sent.attachments ?? []];
  return answerMessage(deps, sent, { viewer: caller, readBy, files });
}

async function insertOnce(insert: Insert): Promise<Sent | undefined> {
  try {
    return await insert();
  } catch (error) {
    // The same id came twice at once: now that the first is in, the second finds it.
    if (isUniqueViolation(error, 'messages_sent_once')) return insert();
    if (error instanceof pg.DatabaseError && error.code === '23502' && error.column === 'sender_id') return undefined;
    throw error;
  }
}

type Given = Pick<SendContext, 'conversation' | 'content' | 'clientMessageId'> & { messageId: string };

/** A message to be inserted, and what is told of it. */
export function newMessage(caller: Caller, { conversation, content, clientMessageId, messageId }: Given) {
  const message: NewMessage = {
    conversation_id: conversation,
    message_id: messageId,
    sender_id: caller.userId,
    content,
    // Whatever the client says: `system` is ours alone (decisions, section 10).
    type: 'text',
    client_message_id: clientMessageId ?? null,
  };
  const event = outboxRow({
    event: messageSent,
    // The statement puts the seq in.
    data: { conversationId: conversation, messageId, seq: 0, senderId: caller.userId },
    // Readers keep the highest seq, so that messages need not wait for one another on their way out.
    aggregate: messageId,
    actorId: caller.userId,
  });
  return { message, event };
}
