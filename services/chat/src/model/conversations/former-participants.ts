import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';

/** Every pod removes their sockets within this time, unless neither Redis nor NATS is available to it. */
const RETENTION = "interval '1 hour'";
const MAX_CACHED_CONVERSATIONS = 10_000;
/** Of more, as when a department is removed, the others are listed for a minute, because each broadcast names all. */
const MAX_LISTED = 1_000;
const CACHE_MS = 60_000;

/** Their sockets may still be in the room on some pod, but must not receive what was committed since they left. */
export type FormerParticipants = {
  /**
   * Call it between commit and broadcast. With the conversation's version, if the transaction locked it, the database is
   * queried only if the version differs from the cached one.
   */
  list(conversationId: string, conversationVersion?: number | null): Promise<string[]>;
};

export function createFormerParticipants(db: Db): FormerParticipants {
  const cache = new Map<string, { conversationVersion: number; readAt: number; userIds: Promise<string[]> }>();
  return {
    list(conversationId, conversationVersion) {
      const cachedEntry = cache.get(conversationId);
      // Concurrent sends share a query, so that their broadcasts keep their order.
      const isCurrent = cachedEntry && performance.now() - cachedEntry.readAt < CACHE_MS;
      if (conversationVersion != null && isCurrent && cachedEntry.conversationVersion === conversationVersion)
        return cachedEntry.userIds;
      // Queries after this version was committed, so the result includes everyone who left with it.
      const userIds = listFormerParticipants(db, conversationId);
      if (conversationVersion == null) return userIds;
      cache.delete(conversationId);
      cache.set(conversationId, { conversationVersion, readAt: performance.now(), userIds });
      userIds.catch(() => cache.get(conversationId)?.userIds === userIds && cache.delete(conversationId));
      const [oldest] = cache.keys();
      if (cache.size > MAX_CACHED_CONVERSATIONS && oldest !== undefined) cache.delete(oldest);
      return userIds;
    },
  };
}

async function listFormerParticipants(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'list-former-participants',
    text: `select user_id from (
             select user_id, left_at, row_number() over (order by left_at desc) as position
             from former_participants where conversation_id = $1 and left_at > now() - ${RETENTION}
           ) former where position <= ${MAX_LISTED} or left_at > now() - interval '1 minute'`,
    values: [conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}

/** Call it in the transaction that adds participants. Those with a read revision are kept for when they rejoin. */
export async function pruneFormerParticipants(
  tx: Queryable,
  conversationId: string,
  addedIds: readonly string[],
): Promise<void> {
  await tx.query(
    `delete from former_participants where conversation_id = $1
       and (user_id = any($2) or (left_at < now() - ${RETENTION} and read_revision = 0))`,
    [conversationId, addedIds],
  );
}

export async function deleteFormerParticipants(tx: Queryable, conversationId: string): Promise<string[]> {
  const userIds = await listFormerParticipants(tx, conversationId);
  await tx.query('delete from former_participants where conversation_id = $1', [conversationId]);
  return userIds;
}
