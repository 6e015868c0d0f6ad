import type { Queryable } from '@atrium/service-kit/postgres/postgres';

const LIFE = `interval '1 hour'`;

export async function insertResetRequest(db: Queryable, email: string, requestId: string): Promise<void> {
  await db.query('insert into reset_requests (email, request_id) values ($1, $2)', [email, requestId]);
}

/** Links that one person is sent within an hour, however often anybody asks. */
export const MOST_LINKS = 3;

/**
 * Removes, of the oldest five hundred requests that no other pod is busy with, those that get no link: of strangers, of people who have
 * not accepted their invitation, and of whoever has had or will have as many links as they may. So whoever asks for ten thousand of
 * them keeps nobody else waiting.
 */
export async function dropIneligibleRequests(db: Queryable): Promise<void> {
  await db.query(
    `with oldest as (
       select id, email from reset_requests order by id limit 500 for update skip locked
     ), asked as (
       select oldest.id, a.id as user_id, row_number() over (partition by a.id order by oldest.id) as place
       from oldest left join accounts a on lower(a.email) = lower(oldest.email) and a.state = 'active'
     )
     delete from reset_requests r using asked where r.id = asked.id and (
       user_id is null or place + (
         select count(*) from password_resets p
         where p.user_id = asked.user_id and p.made_by is null and p.created_at > now() - ${LIFE}
       ) > $1
     )`,
    [MOST_LINKS],
  );
}

export type ResetRequest = { email: string; request_id: string };

/** The oldest request that no other pod is busy with; it is gone when the transaction commits. */
export async function takeResetRequest(tx: Queryable): Promise<ResetRequest | undefined> {
  const { rows } = await tx.query<ResetRequest>(
    `delete from reset_requests where id = (select id from reset_requests order by id limit 1 for update skip locked)
     returning email, request_id`,
  );
  return rows[0];
}

/** How many links a person has asked for within the last hour; those that administrators made do not count. */
export async function countRecentResets(tx: Queryable, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) as count from password_resets
     where user_id = $1 and made_by is null and created_at > now() - ${LIFE}`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}

type NewReset = { id: string; userId: string; tokenHash: Buffer; madeBy: string | null };

/** Answers when it ends. */
export async function insertReset(tx: Queryable, given: NewReset): Promise<Date> {
  const { rows } = await tx.query<{ expires_at: Date }>(
    `insert into password_resets (id, user_id, token_hash, made_by, expires_at)
     values ($1, $2, $3, $4, now() + ${LIFE}) returning expires_at`,
    [given.id, given.userId, given.tokenHash, given.madeBy],
  );
  const [row] = rows;
  if (!row) throw new Error('the link just made is not there');
  return row.expires_at;
}

export type ResetRow = {
  user_id: string;
  expired: boolean;
  used: boolean;
  /** Null where its person asked for it. */
  made_by: string | null;
  created_at: Date;
};

export async function findReset(db: Queryable, tokenHash: Buffer): Promise<ResetRow | undefined> {
  const { rows } = await db.query<ResetRow>(
    `select user_id, expires_at <= now() as expired, used_at is not null as used, made_by, created_at
     from password_resets where token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/** Uses it up; of two at once only one is answered true. */
export async function claimReset(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update password_resets set used_at = now() where token_hash = $1 and used_at is null and expires_at > now()',
    [tokenHash],
  );
  return rowCount === 1;
}

/** Whoever has a new password needs no other link: those still open work no more. */
export async function endResets(tx: Queryable, userId: string): Promise<void> {
  await tx.query('update password_resets set used_at = now() where user_id = $1 and used_at is null', [userId]);
}
