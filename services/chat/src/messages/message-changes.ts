import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type MessageRow } from './message-repository.ts';

type Place = Pick<MessageRow, 'conversation_id' | 'seq'>;

/** The revision that the database has given to a change; undefined where the conversation went at the same moment. */
export async function findRevision(tx: Queryable, { conversation_id, seq }: Place): Promise<number | undefined> {
  const { rows } = await tx.query<{ rev: number }>(
    'select rev from message_changes where conversation_id = $1 and seq = $2',
    [conversation_id, seq],
  );
  return rows[0]?.rev;
}

/** Of the whole conversation; 0 before its first change. */
export async function findLastRevision(db: Queryable, conversationId: string): Promise<number> {
  const { rows } = await db.query<{ rev: number }>({
    name: 'last-revision',
    text: 'select coalesce(max(rev), 0) as rev from message_changes where conversation_id = $1',
    values: [conversationId],
  });
  return rows[0]?.rev ?? 0;
}

/** Exported for the test that looks at its plan. */
export const CHANGED = `select ${COLUMNS}, rev as revision
  from message_changes join messages using (conversation_id, seq)
  where conversation_id = $1 and rev > $2 order by rev limit $3`;

/** Messages that have changed since a revision, each as it is now and with the latest of its own. */
export async function listChangedRows(
  db: Queryable,
  conversationId: string,
  { changedAfter, limit }: { changedAfter: number; limit: number },
): Promise<(MessageRow & { revision: number })[]> {
  const { rows } = await db.query<MessageRow & { revision: number }>({
    name: 'messages-changed',
    text: CHANGED,
    values: [conversationId, changedAfter, limit],
  });
  return rows;
}
