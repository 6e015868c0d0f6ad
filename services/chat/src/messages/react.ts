import type { Message } from '@atrium/proto-events/http/chat-messages';
import { MAX_REACTIONS } from '@atrium/proto-events/http/chat-reactions';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { changeReactionCount, findMessage, lockMessage, type MessageRow } from '../model/message-repository.ts';
import { ARCHIVED } from '../model/policy.ts';
import { countEmoji, deleteReaction, insertReaction } from '../model/reaction-repository.ts';
import { appendChanges, MESSAGE_DELETED } from './change-message.ts';
import { broadcastChange, presentStoredMessage } from './present-stored-message.ts';

type ReactParams = { id: string; emoji: string; isAdded: boolean };

const TOO_MANY = `A message can have at most ${MAX_REACTIONS} different emoji`;

export async function react(deps: Deps, caller: Caller, { id, emoji, isAdded }: ReactParams): Promise<Message> {
  const { userId } = caller;
  const { message, changes } = await deps.db.transaction(async (tx) => {
    const found = await findMessage(tx, id, userId);
    if (!found?.is_participant) throw notFound('Message');
    if (found.is_archived) throw new AppError('conflict', ARCHIVED);
    const message = await lockMessage(tx, found);
    if (!message) throw new AppError('conflict', MESSAGE_DELETED);
    const rows = await changeReaction(tx, message, { emoji, userId, isAdded });
    return { message: rows[0] ?? message, changes: await appendChanges(tx, rows, 'reactions', userId) };
  });
  const reacted = { user: userId, emoji, isAdded };
  for (const { row, revision } of changes) await broadcastChange(deps, row, { revision, reacted });
  return presentStoredMessage(deps, caller, message);
}

/** Returns no rows if it changes nothing. */
async function changeReaction(
  tx: Queryable,
  message: MessageRow,
  { emoji, userId, isAdded }: Omit<ReactParams, 'id'> & { userId: string },
): Promise<MessageRow[]> {
  const reaction = { ...message, emoji, user_id: userId };
  if (!(await (isAdded ? insertReaction(tx, reaction) : deleteReaction(tx, reaction)))) return [];
  if (isAdded && (await countEmoji(tx, message)) > MAX_REACTIONS)
    throw new AppError('validation_failed', TOO_MANY, { messages: [TOO_MANY] });
  return changeReactionCount(tx, message, isAdded ? 1 : -1);
}
