import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** By then every pod has put them out of its rooms: by Redis, by NATS, or by comparing with the database. */
const FORGET_AFTER = "interval '10 minutes'";

/** Notes who left and who is there again, in the transaction in which they do; what is old goes with it. */
export async function noteDepartures(
  tx: Queryable,
  conversationId: string,
  { added, removed }: { added: string[]; removed: string[] },
): Promise<void> {
  await tx.query(
    `delete from departures where conversation_id = $1 and (user_id = any($2) or left_at < now() - ${FORGET_AFTER})`,
    [conversationId, [...added, ...removed]],
  );
  if (removed.length === 0) return;
  await tx.query('insert into departures (conversation_id, user_id) select $1, unnest($2::text[])', [
    conversationId,
    removed,
  ]);
}

/** Who left a while ago, and may still be in rooms of a pod that has not heard of it. */
export async function whoHasLeft(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'who-has-left',
    text: `select user_id from departures where conversation_id = $1 and left_at > now() - ${FORGET_AFTER}`,
    values: [conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}

/** With the conversation; answers whom `whoHasLeft` would have named. */
export async function forgetDepartures(tx: Queryable, conversationId: string): Promise<string[]> {
  const left = await whoHasLeft(tx, conversationId);
  await tx.query('delete from departures where conversation_id = $1', [conversationId]);
  return left;
}
