import type { Queryable } from '@atrium/service-kit/postgres';
import type { Origin } from './origin.ts';

export type SessionRow = { id: string; user_id: string; created_at: Date };
export type ListedSession = SessionRow & Origin & { last_used_at: Date; expires_at: Date };

const LIFE = `interval '30 days'`;

export async function insertSession(tx: Queryable, session: SessionRow & Origin, tokenHash: Buffer): Promise<void> {
  await tx.query(
    `with session as (
       insert into sessions (id, user_id, created_at, expires_at, device, address)
       values ($1, $2, $3, now() + ${LIFE}, $5, $6)
     )
     insert into refresh_tokens (token_hash, session_id, expires_at) values ($4, $1, now() + ${LIFE})`,
    [session.id, session.user_id, session.created_at, tokenHash, session.device, session.address],
  );
}

/** Notes that a session was used just now, from where, and that it has thirty days from now on. */
export async function touchSession(tx: Queryable, id: string, { device, address }: Origin): Promise<void> {
  await tx.query(
    `update sessions set expires_at = now() + ${LIFE}, last_used_at = now(),
       device = coalesce($2, device), address = coalesce($3, address)
     where id = $1`,
    [id, device, address],
  );
}

/** The latest use first. */
export async function listSessionRows(db: Queryable, userId: string, page: { limit: number; offset: number }) {
  const [list, count] = await Promise.all([
    db.query<ListedSession>(
      `select id, user_id, created_at, device, address, last_used_at, expires_at from sessions
       where user_id = $1 and expires_at > now() order by last_used_at desc, id desc limit $2 offset $3`,
      [userId, page.limit, page.offset],
    ),
    db.query<{ total: number }>('select count(*) as total from sessions where user_id = $1 and expires_at > now()', [
      userId,
    ]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

/** Answers whether the person has such a session; it stays as it is until the transaction ends. */
export async function lockSession(tx: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select id from sessions where id = $1 and user_id = $2 and expires_at > now() for update',
    [id, userId],
  );
  return rowCount === 1;
}

/** Removes one session of a person; answers whether it was there. */
export async function deleteSession(tx: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from sessions where id = $1 and user_id = $2', [id, userId]);
  return rowCount === 1;
}

/**
 * Removes a person's sessions that began before a moment (ms since 1970), all of them without one, and spares one where that is
 * asked for; answers their ids.
 */
export async function deleteSessions(
  tx: Queryable,
  userId: string,
  { before = null, except = null }: { before?: number | null; except?: string | null },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `delete from sessions
     where user_id = $1 and ($2::double precision is null or created_at < to_timestamp($2 / 1000))
       and ($3::text is null or id <> $3)
     returning id`,
    [userId, before, except],
  );
  return rows.map(({ id }) => id);
}
