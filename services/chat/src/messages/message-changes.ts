import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type MessageRow } from './message-repository.ts';

type MessageKey = Pick<MessageRow, 'conversation_id' | 'seq'>;

/** Assigned by a trigger; undefined if the conversation was deleted concurrently. */
export async function findRevision(tx: Queryable, { conversation_id, seq }: MessageKey): Promise<number | undefined> {
  const { rows } = await tx.query<{ rev: number }>(
    'select rev from message_changes where conversation_id = $1 and seq = $2',
    [conversation_id, seq],
  );
  return rows[0]?.rev;
}

/** 0 before the first change. */
export async function findLastRevision(db: Queryable, conversationId: string): Promise<number> {
  const { rows } = await db.query<{ rev: number }>({
    name: 'last-revision',
    text: 'select coalesce(max(rev), 0) as rev from message_changes where conversation_id = $1',
    values: [conversationId],
  });
  return rows[0]?.rev ?? 0;
}

/** Exported for the test of its query plan. */
export const LIST_CHANGED = `select ${COLUMNS}, rev as revision
  from message_changes join messages using (conversation_id, seq)
  where conversation_id = $1 and rev > $2 order by rev limit $3`;

/** In their current state, each with its latest revision. */
export async function listChangedRows(
  db: Queryable,
  conversationId: string,
  { changedAfter, limit }: { changedAfter: number; limit: number },
): Promise<(MessageRow & { revision: number })[]> {
  const { rows } = await db.query<MessageRow & { revision: number }>({
    name: 'messages-changed',
    text: LIST_CHANGED,
    values: [conversationId, changedAfter, limit],
  });
  return rows;
}
