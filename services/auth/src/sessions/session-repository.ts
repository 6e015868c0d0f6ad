import type { Queryable } from '@atrium/service-kit/postgres';

export type SessionRow = { id: string; user_id: string; created_at: Date };
export type TokenRow = { token_hash: Buffer; rotated: boolean; in_grace: boolean };

const LIFE = `interval '30 days'`;
/** Two tabs that refresh at once: the second comes within this time after the first. */
const GRACE = `interval '10 seconds'`;

export async function insertSession(tx: Queryable, { id, user_id, created_at }: SessionRow, tokenHash: Buffer) {
  await tx.query(
    `with session as (
       insert into sessions (id, user_id, created_at, expires_at) values ($1, $2, $3, now() + ${LIFE})
     )
     insert into refresh_tokens (token_hash, session_id, expires_at) values ($4, $1, now() + ${LIFE})`,
    [id, user_id, created_at, tokenHash],
  );
}

/** The session of a token that has not expired, locked first of all so that its tokens are dealt with one after the other. */
export async function lockSessionOfToken(tx: Queryable, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await tx.query<SessionRow>(
    `select id, user_id, created_at from sessions
     where id = (select session_id from refresh_tokens where token_hash = $1 and expires_at > now())
     for update`,
    [tokenHash],
  );
  return rows[0];
}

/** To be read after its session is locked: only then is it known whether somebody has just rotated it. */
export async function findToken(tx: Queryable, tokenHash: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await tx.query<TokenRow>(
    `select token_hash, rotated_at is not null as rotated,
            coalesce(rotated_at > clock_timestamp() - ${GRACE}, false) as in_grace
     from refresh_tokens where token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

export async function rotateToken(tx: Queryable, sessionId: string, given: { from: Buffer; to: Buffer }) {
  await tx.query(
    `with old as (
       update refresh_tokens set rotated_at = clock_timestamp() where token_hash = $2
     ), session as (
       update sessions set expires_at = now() + ${LIFE} where id = $1
     )
     insert into refresh_tokens (token_hash, session_id, expires_at) values ($3, $1, now() + ${LIFE})`,
    [sessionId, given.from, given.to],
  );
}

export async function deleteSession(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from sessions where id = $1', [id]);
}

/** Removes a person's sessions that began before a moment (ms since 1970); answers their ids. */
export async function deleteSessionsBefore(tx: Queryable, userId: string, moment: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'delete from sessions where user_id = $1 and created_at < to_timestamp($2::double precision / 1000) returning id',
    [userId, moment],
  );
  return rows.map(({ id }) => id);
}
