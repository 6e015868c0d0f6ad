import { messageSent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { isUniqueViolation } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import pg from 'pg';
import type { Deps } from '../deps.ts';
import { insertMessage, type SentRow } from './message-repository.ts';
import { answerMessage, presentMessage } from './present-message.ts';
import { findReadersOf, UNREAD } from './read-by.ts';

export type Sending = {
  conversation: string;
  content: string;
  clientMessageId?: string | undefined;
  /** The socket it came by, which gets the acknowledgement instead of `message:new`. */
  socketId?: string;
};

/** Sends a message; the same `clientMessageId` again gives the first answer again and tells nobody twice. */
export async function sendMessage(deps: Deps, caller: Caller, sending: Sending): Promise<Message> {
  const row = await deps.announce.order.send(
    sending.conversation,
    async () => {
      const sent = await insertOnce(deps, caller, sending);
      crashPoint('after-message-before-announcement');
      return sent && { ...sent, left: await deps.announce.ready(sending.conversation, sent.version) };
    },
    (sent) => {
      deps.db.committed();
      const message = { ...presentMessage(deps.directory, sent), readBy: UNREAD };
      deps.announce.messageSent(message, sent.left, sending.socketId);
    },
  );
  if (!row) throw notFound('Conversation');
  const readBy = row.repeated ? await findReadersOf(deps.db, deps.directory, row) : UNREAD;
  return answerMessage(deps.directory, row, { viewer: caller, readBy });
}

async function insertOnce(deps: Deps, caller: Caller, sending: Sending) {
  try {
    return await insert(deps, caller, sending);
  } catch (error) {
    // The same id came twice at once: now that the first is in, the second finds it.
    if (isUniqueViolation(error, 'messages_sent_once')) return insert(deps, caller, sending);
    if (error instanceof pg.DatabaseError && error.code === '23502' && error.column === 'sender_id') return undefined;
    throw error;
  }
}

function insert({ db }: Deps, caller: Caller, sending: Sending): Promise<SentRow | undefined> {
  const messageId = newId();
  const event = outboxRow({
    event: messageSent,
    // The statement puts the seq in.
    data: { conversationId: sending.conversation, messageId, seq: 0, senderId: caller.userId },
    // Readers keep the highest seq, so that messages need not wait for one another on their way out.
    aggregate: messageId,
    actorId: caller.userId,
  });
  return insertMessage(
    db,
    {
      conversation_id: sending.conversation,
      message_id: messageId,
      sender_id: caller.userId,
      content: sending.content,
      // Whatever the client says: `system` is ours alone (decisions, section 10).
      type: 'text',
      client_message_id: sending.clientMessageId ?? null,
    },
    event,
  );
}
