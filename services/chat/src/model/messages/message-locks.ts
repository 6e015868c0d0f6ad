import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, conversationOf, type MessageRow } from './message-repository.ts';

type Parent = Pick<MessageRow, 'conversation_id' | 'parent_id'>;
type MessageKey = Parent & Pick<MessageRow, 'seq'>;

/**
 * Locks the conversation of a message. Every transaction that changes messages does this first: one that locked a message
 * before its conversation would deadlock with a reply.
 */
export async function lockConversationOf(tx: Queryable, message: Parent): Promise<void> {
  await tx.query('select from conversations where conversation_id = $1 for no key update', [conversationOf(message)]);
}

/** Locks the message, after its conversation. Returns undefined if it is deleted. */
export async function lockMessage(tx: Queryable, key: MessageKey): Promise<MessageRow | undefined> {
  await lockConversationOf(tx, key);
  const { rows } = await tx.query<MessageRow>(
    `select ${COLUMNS} from messages where conversation_id = $1 and seq = $2 and deleted_at is null for no key update`,
    [key.conversation_id, key.seq],
  );
  return rows[0];
}
