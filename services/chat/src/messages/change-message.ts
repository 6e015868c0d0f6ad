import { messageChanged } from '@atrium/proto-events/events/chat';
import { EMPTY_MESSAGE, type Message } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMessageAttachments } from '../model/attachment-repository.ts';
import {
  changeContent,
  findMessage,
  findRevision,
  type MessageRow,
  markMessageDeleted,
  replaceNullCharacters,
} from '../model/message-repository.ts';
import { canDeleteMessage, canEditMessage, canSeeMessage, DELETE_DENIED, EDIT_DENIED } from '../model/policy.ts';
import { broadcastChange, presentStoredMessage } from './present-stored-message.ts';

export async function editMessage(
  deps: Deps,
  caller: Caller,
  { id, content }: { id: string; content: string },
): Promise<Message> {
  const { db } = deps;
  const { message, isChanged, revision } = await db.transaction(async (tx) => {
    const originalMessage = await findMessage(tx, id, caller.userId);
    // Checks `is_participant` below, because administrators can see messages of others only to delete them.
    if (!originalMessage || !canSeeMessage(caller, originalMessage)) throw notFound('Message');
    if (!canEditMessage(caller, originalMessage)) throw new AppError('forbidden', EDIT_DENIED);
    if (!originalMessage.is_participant) throw notFound('Message');
    const files = await findMessageAttachments(tx, originalMessage);
    if (content === '' && files.length === 0)
      throw new AppError('validation_failed', EMPTY_MESSAGE, { messages: [EMPTY_MESSAGE] });
    if (originalMessage.deleted_at === null && replaceNullCharacters(content) === originalMessage.content)
      return { message: originalMessage, isChanged: false, revision: undefined };
    const message = await changeContent(tx, originalMessage, content);
    if (!message) throw new AppError('conflict', 'This message was deleted');
    return {
      message,
      isChanged: true,
      revision: await appendMessageChanged(tx, message, 'edited', caller.userId),
    };
  });
  if (isChanged) await broadcastChange(deps, message, { revision });
  return presentStoredMessage(deps, caller, message);
}

export async function deleteMessage({ db, broadcaster, files }: Deps, caller: Caller, id: string): Promise<void> {
  const deletedMessage = await db.transaction(async (tx) => {
    const message = await findMessage(tx, id, caller.userId);
    if (!message || !canSeeMessage(caller, message)) throw notFound('Message');
    if (!canDeleteMessage(caller, message)) throw new AppError('forbidden', DELETE_DENIED);
    return discardMessage(tx, message, caller.userId);
  });
  if (!deletedMessage) return;
  // A trigger has released its files.
  files.remover.wake();
  await broadcaster.messageDeleted(deletedMessage);
}

/** Leaves a tombstone, so that seqs have no gaps. */
export async function discardMessage(tx: Queryable, message: MessageRow, actorId: string | null) {
  if (!(await markMessageDeleted(tx, message))) return undefined;
  const revision = await appendMessageChanged(tx, message, 'deleted', actorId);
  return {
    conversation: message.conversation_id,
    message: message.message_id,
    seq: message.seq,
    ...(revision && { revision }),
  };
}

export async function appendMessageChanged(
  tx: Queryable,
  { conversation_id, message_id, seq }: MessageRow,
  action: 'edited' | 'deleted' | 'reacted',
  actorId: string | null,
): Promise<number | undefined> {
  const revision = await findRevision(tx, { conversation_id, seq });
  await appendEvent(tx, {
    event: messageChanged,
    data: { conversationId: conversation_id, messageId: message_id, seq, action, revision },
    aggregate: message_id,
    actorId,
  });
  return revision;
}
