import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/*
 * The release before kept a row for each refresh token, which was random, and knows no other. For as long as its pods may stand
 * beside ours, or come back, the current token of each session has such a row, too. All of this goes with the next release.
 */

/** The session whose token this was, however it is written. */
export async function findSessionOfRow(tx: Queryable, tokenHash: Buffer): Promise<string | undefined> {
  const { rows } = await tx.query<{ session_id: string }>(
    'select session_id from refresh_tokens where token_hash = $1 and expires_at > now()',
    [tokenHash],
  );
  return rows[0]?.session_id;
}

export type TokenRow = {
  rotated: boolean;
  /** How its successor stands, where a pod of the release before made it. */
  successor: 'fresh' | 'used' | 'none';
  successor_hash: Buffer | null;
};

/** To be read after its session is locked: only then is it known whether somebody has just rotated it. */
export async function findTokenRow(
  tx: Queryable,
  tokenHash: Buffer,
  successorHashes: readonly Buffer[],
): Promise<TokenRow | undefined> {
  const { rows } = await tx.query<TokenRow>(
    `select token.rotated_at is not null as rotated,
            case when successor.token_hash is null then 'none'
                 when successor.rotated_at is null then 'fresh' else 'used' end as successor,
            successor.token_hash as successor_hash
     from refresh_tokens token left join refresh_tokens successor on successor.token_hash = any($2)
     where token.token_hash = $1`,
    [tokenHash, successorHashes],
  );
  return rows[0];
}

type Step = { from?: Buffer | undefined; to: Buffer; days: number };

/** The row of the token before becomes the one of the current; that of a random token stays, so that its second use is noticed. */
export async function writeTokenRow(tx: Queryable, sessionId: string, { from, to, days }: Step): Promise<void> {
  await tx.query(
    `with moved as (
       update refresh_tokens set token_hash = $3, expires_at = now() + make_interval(days => $4::int)
       where token_hash = $2 and session_id = $1 returning 1
     )
     insert into refresh_tokens (token_hash, session_id, expires_at)
     select $3, $1, now() + make_interval(days => $4::int) where not exists (select from moved)`,
    [sessionId, from ?? null, to, days],
  );
}

export async function markRotated(tx: Queryable, tokenHash: Buffer): Promise<void> {
  await tx.query('update refresh_tokens set rotated_at = clock_timestamp() where token_hash = $1', [tokenHash]);
}

export async function removeTokenRows(tx: Queryable, sessionId: string): Promise<void> {
  await tx.query('delete from refresh_tokens where session_id = $1', [sessionId]);
}
