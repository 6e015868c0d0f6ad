import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MAX_REACTIONS } from '@atrium/proto-events/http/chat/reactions';
import { parseCustomEmoji } from '@atrium/proto-events/text/emoji';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { emojiExists } from '../model/emoji-repository.ts';
import {
  changeReactionCount,
  conversationOf,
  type FoundMessage,
  type MessageRow,
} from '../model/messages/message-repository.ts';
import { countEmoji, deleteReaction, insertReaction, isFirstOfEmoji } from '../model/messages/reaction-repository.ts';
import { findLevel } from '../model/messages/recipient-repository.ts';
import { toRecipientsEvent } from '../recipients/publish-recipients.ts';
import { appendChanges, findForChange, lockForChange } from './change-message.ts';
import { broadcastChanges, presentWithoutReaders } from './present-stored-message.ts';

type ReactParams = { id: string; emoji: string; isAdded: boolean };

const TOO_MANY = `A message can have at most ${MAX_REACTIONS} different emoji`;

export async function react(deps: Deps, caller: Caller, { id, emoji, isAdded }: ReactParams): Promise<Message> {
  const { userId } = caller;
  const { message, changes } = await deps.db.transaction(async (tx) => {
    const found = await findForChange(tx, id, userId);
    const message = await lockForChange(tx, found);
    if (isAdded) await assertExists(tx, emoji);
    const rows = await changeReaction(tx, message, { emoji, userId, isAdded });
    if (isAdded && rows.length > 0) await notifyAuthor(tx, { ...found, ...message }, userId);
    return { message: rows[0] ?? message, changes: await appendChanges(tx, rows, 'reactions', userId) };
  });
  await broadcastChanges(deps, changes, { reacted: { user: userId, emoji, isAdded } });
  return presentWithoutReaders(deps, caller, message);
}

async function assertExists(tx: Queryable, emoji: string): Promise<void> {
  const name = parseCustomEmoji(emoji);
  if (name === undefined || (await emojiExists(tx, name))) return;
  throw notFound('Emoji');
}

/** Returns no rows if it changes nothing. */
async function changeReaction(
  tx: Queryable,
  message: MessageRow,
  { emoji, userId, isAdded }: Omit<ReactParams, 'id'> & { userId: string },
): Promise<MessageRow[]> {
  const reaction = { ...message, emoji, user_id: userId };
  if (!(await (isAdded ? insertReaction(tx, reaction) : deleteReaction(tx, reaction)))) return [];
  // Others of the same emoji are not counted, because a message in a large conversation has thousands.
  if (isAdded && (await isFirstOfEmoji(tx, reaction)) && (await countEmoji(tx, message)) > MAX_REACTIONS)
    throw new AppError('validation_failed', TOO_MANY, { messages: [TOO_MANY] });
  return changeReactionCount(tx, message, isAdded ? 1 : -1);
}

async function notifyAuthor(tx: Queryable, message: FoundMessage, userId: string): Promise<void> {
  const { sender_id } = message;
  const conversation_id = conversationOf(message);
  const level = sender_id === userId ? undefined : await findLevel(tx, conversation_id, sender_id);
  if (level === undefined || level === 'none') return;
  const id = newId();
  await appendEvent(
    tx,
    toRecipientsEvent(
      {
        message: { ...message, conversation_id },
        rootId: message.parent_id === null ? undefined : message.conversation_id,
        causeId: id,
        cause: { id, occurredAt: new Date().toISOString(), requestId: requestContext.getStore()?.requestId ?? id },
        actorId: userId,
      },
      [{ userId: sender_id, kind: 'reaction', reason: 'own_message', level }],
    ),
  );
}
