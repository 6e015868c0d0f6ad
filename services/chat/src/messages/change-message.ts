import { isDeepStrictEqual } from 'node:util';
import { messageChanged } from '@atrium/proto-events/events/chat';
import { EMPTY_MESSAGE } from '@atrium/proto-events/http/chat/message-text';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { listMentions, type Mentions, mentionsGroups } from '@atrium/proto-events/text/mentions';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMessageAttachments } from '../model/messages/attachment-repository.ts';
import { replaceMentions } from '../model/messages/mention-repository.ts';
import { lockConversationOf, lockMessage } from '../model/messages/message-locks.ts';
import {
  changeContent,
  conversationOf,
  type FoundMessage,
  findMessage,
  findRevision,
  type MessageRow,
  markMessageDeleted,
  replaceNullCharacters,
} from '../model/messages/message-repository.ts';
import { subtractReply, updateRoot } from '../model/messages/thread-repository.ts';
import {
  ARCHIVED,
  canDeleteMessage,
  canEditMessage,
  canSeeMessage,
  DELETE_DENIED,
  EDIT_DENIED,
  POLL_EDIT_DENIED,
} from '../model/policy.ts';
import { afterCommit } from '../sockets/after-commit.ts';
import { assertCanMention } from './assert-can-mention.ts';
import { broadcastChanges, type ChangedRow, presentStoredMessage } from './present-stored-message.ts';

export const MESSAGE_DELETED = 'This message was deleted';

/** Finds a message to react to or to pin. Throws `not_found`, or `conflict` in an archived channel. */
export async function findForChange(tx: Queryable, id: string, userId: string): Promise<FoundMessage> {
  const message = await findMessage(tx, id, userId);
  if (!message?.is_participant) throw notFound('Message');
  if (message.is_archived) throw new AppError('conflict', ARCHIVED);
  return message;
}

/** Throws `conflict` if the message is deleted. */
export async function lockForChange(tx: Queryable, found: FoundMessage): Promise<MessageRow> {
  const message = await lockMessage(tx, found);
  if (!message) throw new AppError('conflict', MESSAGE_DELETED);
  return message;
}

export async function editMessage(
  deps: Deps,
  caller: Caller,
  { id, content }: { id: string; content: string },
): Promise<Message> {
  const { message, changes } = await deps.db.transaction(async (tx) => {
    const message = await findMessage(tx, id, caller.userId);
    // Checks `is_participant` below, because administrators can see messages of others only to delete them.
    if (!message || !canSeeMessage(caller, message)) throw notFound('Message');
    if (!canEditMessage(caller, message)) throw new AppError('forbidden', EDIT_DENIED);
    if (!message.is_participant) throw notFound('Message');
    if (message.is_archived) throw new AppError('conflict', ARCHIVED);
    if (message.poll !== null) throw new AppError('forbidden', POLL_EDIT_DENIED);
    if (content === '' && message.forwarded === null && (await findMessageAttachments(tx, message)).length === 0)
      throw new AppError('validation_failed', EMPTY_MESSAGE, { messages: [EMPTY_MESSAGE] });
    if (message.deleted_at === null && replaceNullCharacters(content) === message.content)
      return { message, changes: [] };
    // An author who could mention everyone when it was sent can correct the rest of the text.
    if (!mentionsGroups(listMentions(message.content)))
      await assertCanMention(tx, {
        conversation_id: conversationOf(message),
        sender_id: caller.userId,
        content,
        is_manager: caller.role === 'admin',
      });
    await lockConversationOf(tx, message);
    const [changed, ...copies] = await changeContent(tx, message, content);
    if (!changed) throw new AppError('conflict', MESSAGE_DELETED);
    await replaceMentions(tx, [changed, ...copies]);
    const edit = { before: listMentions(message.content), after: listMentions(changed.content) };
    return { message: changed, changes: await appendChanges(tx, [changed, ...copies], edit, caller.userId) };
  });
  await broadcastChanges(deps, changes);
  return presentStoredMessage(deps, caller, message);
}

export async function deleteMessage(deps: Deps, caller: Caller, id: string): Promise<void> {
  const discarded = await deps.db.transaction(async (tx) => {
    const message = await findMessage(tx, id, caller.userId);
    if (!message || !canSeeMessage(caller, message)) throw notFound('Message');
    if (!canDeleteMessage(caller, message)) throw new AppError('forbidden', DELETE_DENIED);
    return discardMessage(tx, message, caller.userId);
  });
  await broadcastDiscarded(deps, discarded);
}

export type Discarded = { deleted: readonly ChangedRow[]; root: ChangedRow | undefined };

/** Leaves a tombstone, so that seqs have no gaps. Nothing happens if it is deleted already. */
export async function discardMessage(tx: Queryable, message: MessageRow, actorId: string | null): Promise<Discarded> {
  await lockConversationOf(tx, message);
  const rows = await markMessageDeleted(tx, message);
  await replaceMentions(tx, rows);
  const deleted = await appendChanges(tx, rows, 'deleted', actorId);
  const { parent_id, conversation_id } = message;
  if (rows.length === 0 || parent_id === null) return { deleted, root: undefined };
  await subtractReply(tx, conversation_id);
  const root = await updateRoot(tx, { conversation_id: parent_id, message_id: conversation_id });
  const [changedRoot] = root ? await appendChanges(tx, [root], 'replies', actorId) : [];
  return { deleted, root: changedRoot };
}

/** Call it after the commit. */
export async function broadcastDiscarded(deps: Deps, { deleted, root }: Discarded): Promise<void> {
  if (deleted.length === 0) return;
  // A trigger has released its files.
  deps.files.remover.wake();
  await afterCommit(deps, async () => {
    for (const { row, revision } of deleted)
      await deps.broadcaster.messageDeleted({
        conversation: conversationOf(row),
        message: row.message_id,
        seq: row.seq,
        ...(row.parent_id !== null && { thread: row.conversation_id }),
        ...(revision && { revision }),
      });
  });
  if (root) await broadcastChanges(deps, [root]);
}

type ChangedPart = 'reactions' | 'replies' | 'pin' | 'poll' | 'tasks';
/** The mentions in the content. */
type Edit = { before: Mentions; after: Mentions };

function toChange(part: ChangedPart | 'deleted' | Edit) {
  if (part === 'deleted') return {};
  if (typeof part === 'string') return { change: part };
  return isDeepStrictEqual(part.before, part.after) ? {} : { mentions: part };
}

/** Publishes that the rows of a message have changed. */
export async function appendChanges(
  tx: Queryable,
  rows: readonly MessageRow[],
  part: ChangedPart | 'deleted' | Edit,
  actorId: string | null,
): Promise<ChangedRow[]> {
  const change = toChange(part);
  const action = part === 'deleted' ? 'deleted' : 'edited';
  const changes: ChangedRow[] = [];
  for (const row of rows) {
    const revision = await findRevision(tx, row);
    const place =
      row.parent_id === null
        ? { conversationId: row.conversation_id }
        : { conversationId: row.parent_id, rootId: row.conversation_id };
    await appendEvent(tx, {
      event: messageChanged,
      data: { ...place, messageId: row.message_id, seq: row.seq, action, ...change, revision },
      aggregate: row.message_id,
      actorId,
    });
    changes.push({ row, revision });
  }
  return changes;
}
