import type { Queryable } from '@atrium/service-kit/postgres';
import type { SessionRow } from './session-repository.ts';

export type TokenRow = { token_hash: Buffer; rotated: boolean; in_grace: boolean };

const LIFE = `interval '30 days'`;
/** Two tabs that refresh at once: the second comes within this time after the first. */
const GRACE = `interval '10 seconds'`;

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

/** To be read after its session is locked: only then is it known whether somebody has just rotated or ended it. */
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
     )
     insert into refresh_tokens (token_hash, session_id, expires_at) values ($3, $1, now() + ${LIFE})`,
    [sessionId, given.from, given.to],
  );
}

/** Ends every token that a session had and gives it a new one. */
export async function replaceTokens(tx: Queryable, sessionId: string, tokenHash: Buffer): Promise<void> {
  await tx.query('delete from refresh_tokens where session_id = $1', [sessionId]);
  await tx.query(`insert into refresh_tokens (token_hash, session_id, expires_at) values ($1, $2, now() + ${LIFE})`, [
    tokenHash,
    sessionId,
  ]);
}
