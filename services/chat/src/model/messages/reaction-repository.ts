import { MAX_REACTING_USERS } from '@atrium/proto-events/text/emoji';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MessageRow } from './message-repository.ts';

/** An emoji on a message. `user_ids` are the first ones; `mine` is whether the viewer is one of all. */
export type ReactionRow = { message_id: string; emoji: string; count: number; mine: boolean; user_ids: string[] };

/** Selects reactions by an expression of the viewer, and one of conversations (or threads) and ids of messages. */
export const selectReactions = (viewer: string, messages: string) => `
  select message_id, emoji, count(*)::int as count, bool_or(user_id = ${viewer}) as mine,
    (array_agg(user_id order by created_at, user_id))[1:${MAX_REACTING_USERS}] as user_ids
  from reactions where (conversation_id, message_id) in (${messages})
  group by message_id, emoji order by min(created_at), emoji`;

type MessageKey = Pick<MessageRow, 'conversation_id' | 'message_id'>;

/** Finds the reactions to several messages, by their ids. */
export async function listReactions(
  db: Queryable,
  messages: readonly MessageRow[],
  viewerId: string,
): Promise<ReadonlyMap<string, ReactionRow[]>> {
  const reactedMessages = messages.filter(({ reaction_count }) => reaction_count > 0);
  if (reactedMessages.length === 0) return new Map();
  const { rows } = await db.query<ReactionRow>({
    name: 'list-reactions',
    text: selectReactions('$3', 'select * from unnest($1::text[], $2::text[])'),
    values: [
      reactedMessages.map(({ thread_id, conversation_id }) => thread_id ?? conversation_id),
      reactedMessages.map(({ message_id }) => message_id),
      viewerId,
    ],
  });
  return Map.groupBy(rows, ({ message_id }) => message_id);
}

type ReactionKey = MessageKey & { emoji: string; user_id: string };

/** Returns whether the user had not reacted so. */
export async function insertReaction(tx: Queryable, reaction: ReactionKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into reactions (conversation_id, message_id, emoji, user_id) values ($1, $2, $3, $4) on conflict do nothing',
    [reaction.conversation_id, reaction.message_id, reaction.emoji, reaction.user_id],
  );
  return rowCount === 1;
}

/** Returns whether the user had reacted so. */
export async function deleteReaction(tx: Queryable, reaction: ReactionKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from reactions where conversation_id = $1 and message_id = $2 and emoji = $3 and user_id = $4',
    [reaction.conversation_id, reaction.message_id, reaction.emoji, reaction.user_id],
  );
  return rowCount === 1;
}

/** Returns whether nobody else has reacted so. */
export async function isFirstOfEmoji(tx: Queryable, reaction: ReactionKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from reactions where conversation_id = $1 and message_id = $2 and emoji = $3 and user_id <> $4 limit 1',
    [reaction.conversation_id, reaction.message_id, reaction.emoji, reaction.user_id],
  );
  return rowCount === 0;
}

export async function countEmoji(tx: Queryable, { conversation_id, message_id }: MessageKey): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(distinct emoji) as count from reactions where conversation_id = $1 and message_id = $2',
    [conversation_id, message_id],
  );
  return rows[0]?.count ?? 0;
}
