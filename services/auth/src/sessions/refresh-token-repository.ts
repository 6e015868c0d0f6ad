import type { Queryable } from '@atrium/service-kit/postgres';
import type { Lifetime, SessionRow } from './session-repository.ts';

/** The session of a token that has not expired, locked first of all so that its tokens are dealt with one after the other. */
export async function lockSessionOfToken(
  tx: Queryable,
  tokenHash: Buffer,
  { mostDays }: Lifetime,
): Promise<SessionRow | undefined> {
  const { rows } = await tx.query<SessionRow>(
    `select id, user_id, created_at from sessions
     where id = (select session_id from refresh_tokens where token_hash = $1 and expires_at > now())
       and expires_at > now() and created_at > now() - make_interval(days => $2::int)
     for update`,
    [tokenHash, mostDays],
  );
  return rows[0];
}

/** `fresh` has not been used, `repeatable` has, though not its successor; with a `spent` one two people have the session's tokens. */
export type TokenState = 'fresh' | 'repeatable' | 'spent';

/** To be read after its session is locked: only then is it known whether somebody has just rotated or ended it. */
export async function findTokenState(
  tx: Queryable,
  tokenHash: Buffer,
  successorHash: Buffer,
): Promise<TokenState | undefined> {
  const { rows } = await tx.query<{ state: TokenState }>(
    `select case when token.rotated_at is null then 'fresh'
                 when successor.token_hash is not null and successor.rotated_at is null then 'repeatable'
                 else 'spent' end as state
     from refresh_tokens token left join refresh_tokens successor on successor.token_hash = $2
     where token.token_hash = $1`,
    [tokenHash, successorHash],
  );
  return rows[0]?.state;
}

type Rotation = { from: Buffer; to: Buffer; lifetime: Lifetime };

export async function rotateToken(tx: Queryable, sessionId: string, { from, to, lifetime }: Rotation): Promise<void> {
  await tx.query(
    `with old as (
       update refresh_tokens set rotated_at = clock_timestamp() where token_hash = $2
     )
     insert into refresh_tokens (token_hash, session_id, expires_at)
     values ($3, $1, now() + make_interval(days => $4::int))`,
    [sessionId, from, to, lifetime.idleDays],
  );
}

/** Ends every token that a session had and gives it a new one. */
export async function replaceTokens(
  tx: Queryable,
  sessionId: string,
  { tokenHash, lifetime }: { tokenHash: Buffer; lifetime: Lifetime },
): Promise<void> {
  await tx.query('delete from refresh_tokens where session_id = $1', [sessionId]);
  await tx.query(
    `insert into refresh_tokens (token_hash, session_id, expires_at) values ($1, $2, now() + make_interval(days => $3::int))`,
    [tokenHash, sessionId, lifetime.idleDays],
  );
}
