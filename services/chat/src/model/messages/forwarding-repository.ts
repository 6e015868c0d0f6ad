import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MessageRow, StoredForward } from './message-repository.ts';

/** Selects those conversations in which a user is, by an expression of the user and one of conversations. */
export const selectVisible = (user: string, conversations: string) =>
  `select conversation_id from participants where user_id = ${user} and conversation_id in (${conversations})`;

/** Returns the conversations of forwarded messages in which the viewer is. */
export async function listVisibleOrigins(
  db: Queryable,
  messages: readonly MessageRow[],
  viewerId: string,
): Promise<ReadonlySet<string>> {
  const origins = messages.flatMap(({ forwarded }) => forwarded?.conversation ?? []);
  if (origins.length === 0) return new Set();
  const { rows } = await db.query<{ conversation_id: string }>({
    name: 'list-visible-origins',
    text: selectVisible('$1', 'select unnest($2::text[])'),
    values: [viewerId, origins],
  });
  return new Set(rows.map(({ conversation_id }) => conversation_id));
}

type MessageKey = Pick<MessageRow, 'conversation_id' | 'seq'>;

/** Completes a new message in its transaction. */
export async function setForwarded(
  tx: Queryable,
  { conversation_id, seq }: MessageKey,
  forwarded: StoredForward,
): Promise<void> {
  await tx.query('update messages set forwarded = $3 where conversation_id = $1 and seq = $2', [
    conversation_id,
    seq,
    JSON.stringify(forwarded),
  ]);
}
