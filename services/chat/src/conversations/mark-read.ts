import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessage } from '../messages/message-repository.ts';
import { moveWatermark } from './participant-repository.ts';

type Upto = { conversation: string; seq?: number | undefined; message?: string | undefined };

/** Marks everything, or everything up to a seq or a message, as read: on every device of the reader, and seen by the others. */
export async function markRead({ db, announce }: Deps, caller: Caller, upto: Upto) {
  const seq = upto.message === undefined ? upto.seq : await seqOf({ db }, caller, upto.conversation, upto.message);
  const move = await moveWatermark(db, { conversationId: upto.conversation, userId: caller.userId, seq });
  if (!move) throw notFound('Conversation');
  if (move.seq > move.before) {
    const left = await announce.ready(upto.conversation);
    announce.messagesRead({ conversation: upto.conversation, user: caller.userId, seq: move.seq }, left);
  }
  return { updatedCount: move.newly_read, seq: move.seq };
}

async function seqOf({ db }: Pick<Deps, 'db'>, caller: Caller, conversation: string, messageId: string) {
  const message = await findMessage(db, messageId, caller.userId);
  if (!message?.takes_part || message.conversation_id !== conversation) throw notFound('Message');
  return message.seq;
}
