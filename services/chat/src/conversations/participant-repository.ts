import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Unread is `last_seq - last_read_seq - own_after_read`. */
export type ReadState = { user_id: string; last_read_seq: number; own_after_read: number };

export async function findReadState(
  db: Queryable,
  conversationId: string,
  userId: string,
): Promise<(ReadState & { last_seq: number }) | undefined> {
  const { rows } = await db.query<ReadState & { last_seq: number }>({
    name: 'find-read-state',
    text: `select p.user_id, p.last_read_seq, p.own_after_read, c.last_seq
           from participants p join conversations c on c.conversation_id = p.conversation_id
           where p.conversation_id = $1 and p.user_id = $2`,
    values: [conversationId, userId],
  });
  return rows[0];
}

export async function listReadStates(db: Queryable, conversationId: string, userIds: string[]): Promise<ReadState[]> {
  const { rows } = await db.query<ReadState>(
    `select user_id, last_read_seq, own_after_read from participants
     where conversation_id = $1 and user_id = any($2)`,
    [conversationId, userIds],
  );
  return rows;
}

export type Unread = { conversation_id: string; last_seq: number; count: number; total: number };

/** Latest activity first; each row has the `total` of all conversations. */
export async function listUnread(db: Queryable, userId: string, limit: number): Promise<Unread[]> {
  const { rows } = await db.query<Unread>({
    name: 'list-unread',
    text: `select c.conversation_id, c.last_seq, u.count, (sum(u.count) over ())::bigint as total
           from participants p join conversations c on c.conversation_id = p.conversation_id
           cross join lateral (select c.last_seq - p.last_read_seq - p.own_after_read as count) u
           where p.user_id = $1 and u.count > 0
           order by c.updated_at desc, c.conversation_id desc limit $2`,
    values: [userId, limit],
  });
  return rows;
}

export async function filterParticipants(db: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    'select user_id from participants where conversation_id = $1 and user_id = any($2)',
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** The conversation ids of each user. */
export async function listMemberships(db: Queryable, userIds: string[]): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ user_id: string; ids: string[] }>({
    name: 'list-memberships',
    text: `select user_id, array_agg(conversation_id) as ids from participants
           where user_id = any($1::text[]) group by user_id`,
    values: [userIds],
  });
  return new Map(rows.map(({ user_id, ids }) => [user_id, ids]));
}

/** Marks all existing messages as read; returns the users who are new. */
export async function insertParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into participants (conversation_id, user_id, last_read_seq)
     select c.conversation_id, added.user_id, c.last_seq
     from conversations c, unnest($2::text[]) with ordinality as added (user_id, position)
     where c.conversation_id = $1 order by added.position
     on conflict do nothing returning user_id`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** All except direct conversations. */
export async function listSharedConversationIds(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select p.conversation_id as id from participants p join conversations c on c.conversation_id = p.conversation_id
     where p.user_id = $1 and c.type <> 'direct' order by p.conversation_id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** If this user created the group, makes the participant who joined first its creator. Requires the conversation lock. */
export async function transferOwnership(tx: Queryable, conversationId: string, creatorId: string): Promise<void> {
  await tx.query(
    `update conversations c set created_by = next.user_id from (
       select user_id from participants where conversation_id = $1 and user_id <> $2 order by joined_at, user_id limit 1
     ) next
     where c.conversation_id = $1 and c.created_by = $2 and c.type = 'group'`,
    [conversationId, creatorId],
  );
}

/** Returns the users who were participants. */
export async function removeParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from participants where conversation_id = $1 and user_id = any($2) returning user_id',
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Exported for the test of its query plan. */
export const MOVE_WATERMARK = `with me as (
    select p.last_read_seq, p.own_after_read, c.last_seq, least($3::bigint, c.last_seq) as seq
    from participants p join conversations c on c.conversation_id = p.conversation_id
    where p.conversation_id = $1 and p.user_id = $2
  ), own as (
    select case
      when seq <= last_read_seq or own_after_read = 0 then 0
      when seq - last_read_seq < last_seq - seq then (
        select count(*) from messages m
        where m.conversation_id = $1 and m.seq > last_read_seq and m.seq <= me.seq and m.sender_id = $2
      )
      else own_after_read - (
        select count(*) from messages m where m.conversation_id = $1 and m.seq > me.seq and m.seq <= last_seq and m.sender_id = $2
      )
    end as n from me
  ), moved as (
    update participants p set last_read_seq = me.seq, own_after_read = p.own_after_read - own.n
    from me, own
    where p.conversation_id = $1 and p.user_id = $2 and me.seq > me.last_read_seq and p.last_read_seq = me.last_read_seq
    returning 1
  )
  select last_read_seq as before, greatest(last_read_seq, seq) as seq,
    case when seq > last_read_seq then seq - last_read_seq - own.n else 0 end as newly_read,
    seq > last_read_seq and not exists (select from moved) as conflicted
  from me, own`;

export type ReadMove = { before: number; seq: number; newly_read: number };

/**
 * Moves a watermark forward, at most to the last message. The reader's own messages are counted on the shorter side of the new watermark,
 * or not at all if they have none beyond the old one. Optimistic: the row changes only if its watermark is still the one that was read, and
 * what concurrent sends add to `own_after_read` is kept.
 */
export async function moveWatermark(
  db: Queryable,
  at: { conversationId: string; userId: string; seq: number | undefined },
): Promise<ReadMove | undefined> {
  for (;;) {
    const { rows } = await db.query<ReadMove & { conflicted: boolean }>({
      name: 'move-watermark',
      text: MOVE_WATERMARK,
      values: [at.conversationId, at.userId, at.seq ?? Number.MAX_SAFE_INTEGER],
    });
    const [move] = rows;
    // Another device moved the watermark in between. It only grows, so retries terminate.
    if (!move?.conflicted) return move;
  }
}

/** By then, every pod has removed their sockets, by Redis, by NATS, or by reconciling with the database. */
const RETENTION = "interval '10 minutes'";

/** In the transaction of the change. Also deletes expired rows. */
export async function recordFormerParticipants(
  tx: Queryable,
  conversationId: string,
  { added, removed }: { added: string[]; removed: string[] },
): Promise<void> {
  await tx.query(
    `delete from departures where conversation_id = $1 and (user_id = any($2) or left_at < now() - ${RETENTION})`,
    [conversationId, [...added, ...removed]],
  );
  if (removed.length === 0) return;
  await tx.query('insert into departures (conversation_id, user_id) select $1, unnest($2::text[])', [
    conversationId,
    removed,
  ]);
}

/** Users who left recently, and whose sockets may still be in the room on some pod. */
export async function listFormerParticipants(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'list-former-participants',
    text: `select user_id from departures where conversation_id = $1 and left_at > now() - ${RETENTION}`,
    values: [conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}

/** Returns the users that it deleted. */
export async function deleteFormerParticipants(tx: Queryable, conversationId: string): Promise<string[]> {
  const userIds = await listFormerParticipants(tx, conversationId);
  await tx.query('delete from departures where conversation_id = $1', [conversationId]);
  return userIds;
}
