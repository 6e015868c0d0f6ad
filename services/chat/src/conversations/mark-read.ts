import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessage } from '../messages/message-repository.ts';
import { moveWatermark } from './participant-repository.ts';

type ReadTarget = { conversation: string; seq?: number | undefined; message?: string | undefined };

/** Marks messages as read up to a seq or a message, or all of them, and notifies the participants. */
export async function markRead({ db, broadcaster }: Deps, caller: Caller, target: ReadTarget) {
  const seq =
    target.message === undefined ? target.seq : await seqOf({ db }, caller, target.conversation, target.message);
  const move = await moveWatermark(db, { conversationId: target.conversation, userId: caller.userId, seq });
  if (!move) throw notFound('Conversation');
  if (move.seq > move.before) {
    const formerParticipants = await broadcaster.listFormerParticipants(target.conversation);
    broadcaster.messagesRead(
      { conversation: target.conversation, user: caller.userId, seq: move.seq },
      formerParticipants,
    );
  }
  return { updatedCount: move.newly_read, seq: move.seq };
}

async function seqOf({ db }: Pick<Deps, 'db'>, caller: Caller, conversation: string, messageId: string) {
  const message = await findMessage(db, messageId, caller.userId);
  if (!message?.takes_part || message.conversation_id !== conversation) throw notFound('Message');
  return message.seq;
}
