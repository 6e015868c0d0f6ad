import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** How far somebody has read: unread is `last_seq - last_read_seq - own_after_read`. */
export type ReadState = { user_id: string; last_read_seq: number; own_after_read: number };

export async function findReadState(
  db: Queryable,
  conversationId: string,
  userId: string,
): Promise<(ReadState & { last_seq: number }) | undefined> {
  const { rows } = await db.query<ReadState & { last_seq: number }>({
    name: 'find-standing',
    text: `select p.user_id, p.last_read_seq, p.own_after_read, c.last_seq
           from participants p join conversations c on c.conversation_id = p.conversation_id
           where p.conversation_id = $1 and p.user_id = $2`,
    values: [conversationId, userId],
  });
  return rows[0];
}

/** Of these users, those who take part. */
export async function listStandings(db: Queryable, conversationId: string, userIds: string[]): Promise<ReadState[]> {
  const { rows } = await db.query<ReadState>(
    `select user_id, last_read_seq, own_after_read from participants
     where conversation_id = $1 and user_id = any($2)`,
    [conversationId, userIds],
  );
  return rows;
}

export type Unread = { conversation_id: string; last_seq: number; count: number; total: number };

/** Where somebody has not read everything, latest activity first; each row has the `total` of all. */
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

/** Of these people, those who take part. */
export async function filterParticipants(db: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    'select user_id from participants where conversation_id = $1 and user_id = any($2)',
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** The conversations of each of these people. */
export async function listMemberships(db: Queryable, userIds: string[]): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ user_id: string; ids: string[] }>({
    name: 'list-memberships',
    text: `select user_id, array_agg(conversation_id) as ids from participants
           where user_id = any($1::text[]) group by user_id`,
    values: [userIds],
  });
  return new Map(rows.map(({ user_id, ids }) => [user_id, ids]));
}

/** Adds people with everything so far read; answers who was not there before. */
export async function insertParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into participants (conversation_id, user_id, last_read_seq)
     select c.conversation_id, given.user_id, c.last_seq
     from conversations c, unnest($2::text[]) with ordinality as given (user_id, position)
     where c.conversation_id = $1 order by given.position
     on conflict do nothing returning user_id`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** The groups and project conversations of a user: direct ones are theirs and one other person's alone. */
export async function listSharedConversationIds(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select p.conversation_id as id from participants p join conversations c on c.conversation_id = p.conversation_id
     where p.user_id = $1 and c.type <> 'direct' order by p.conversation_id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Makes the longest-standing other member the creator of a locked group whose creator leaves. */
export async function transferOwnership(tx: Queryable, conversationId: string, creatorId: string): Promise<void> {
  await tx.query(
    `update conversations c set created_by = next.user_id from (
       select user_id from participants where conversation_id = $1 and user_id <> $2 order by joined_at, user_id limit 1
     ) next
     where c.conversation_id = $1 and c.created_by = $2 and c.type = 'group'`,
    [conversationId, creatorId],
  );
}

/** Answers who was there. */
export async function removeParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from participants where conversation_id = $1 and user_id = any($2) returning user_id',
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Exported for the test that looks at its plan. */
export const MOVE = `with me as (
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
    seq > last_read_seq and not exists (select from moved) as overtaken
  from me, own`;

export type ReadMove = { before: number; seq: number; newly_read: number };

/**
 * Moves a watermark forward, never back and never beyond the last message. Up to the end, what was counted as the reader's own is the
 * answer, and who has written nothing since has nothing to count; else their messages are counted on the shorter side. Nothing is locked
 * meanwhile: the row changes only if its watermark is still the one from which was counted, and what a send at the same time adds to it
 * stays.
 */
export async function moveWatermark(
  db: Queryable,
  at: { conversationId: string; userId: string; seq: number | undefined },
): Promise<ReadMove | undefined> {
  for (;;) {
    const { rows } = await db.query<ReadMove & { overtaken: boolean }>({
      name: 'move-watermark',
      text: MOVE,
      values: [at.conversationId, at.userId, at.seq ?? Number.MAX_SAFE_INTEGER],
    });
    const [move] = rows;
    // Whoever was overtaken by a read on another device finds the watermark further on; it only ever goes up.
    if (!move?.overtaken) return move;
  }
}

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
export async function listFormerParticipants(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'who-has-left',
    text: `select user_id from departures where conversation_id = $1 and left_at > now() - ${FORGET_AFTER}`,
    values: [conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}

/** With the conversation; answers whom `whoHasLeft` would have named. */
export async function forgetDepartures(tx: Queryable, conversationId: string): Promise<string[]> {
  const left = await listFormerParticipants(tx, conversationId);
  await tx.query('delete from departures where conversation_id = $1', [conversationId]);
  return left;
}
