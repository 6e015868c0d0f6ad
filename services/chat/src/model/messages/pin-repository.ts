import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type MessageRow, updateMessage } from './message-repository.ts';

/** Pins a message for a user, or unpins it. */
export const updatePin = (tx: Queryable, message: MessageRow, pinnedBy: string | null) =>
  updateMessage(
    tx,
    message,
    'pinned_by = $3::text, pinned_at = case when $3::text is null then null else clock_timestamp() end',
    pinnedBy,
  );

/** The condition matches the index. */
const PINNED = `from messages where coalesce(parent_id, conversation_id) = $1 and pinned_at is not null and thread_id is null`;

export async function countPins(db: Queryable, conversationId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) ${PINNED}`, [conversationId]);
  return rows[0]?.count ?? 0;
}

export async function listPinRows(db: Queryable, conversationId: string, limit: number): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>({
    name: 'list-pins',
    text: `select ${COLUMNS} ${PINNED} order by pinned_at desc, message_id limit $2`,
    values: [conversationId, limit],
  });
  return rows;
}
