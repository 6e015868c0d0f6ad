import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { JWK } from 'jose';

export type SigningKeyRow = { kid: string; public_jwk: JWK; sealed_private_jwk: string; signs: boolean };

const LOCK = 0x6b657973;

/** Serializes key creation until the transaction ends. */
export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/**
 * The signing key comes first. A key signs for 90 days or until it is replaced, and verifies until its last token expires. A replacement is
 * published for a minute before it signs, because verifiers refetch keys at most once per second.
 */
export async function readSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  const { rows } = await db.query<SigningKeyRow>(
    `select kid, public_jwk, sealed_private_jwk,
            created_at > now() - interval '90 days'
              and (retires_at is null or retires_at > now() + interval '59 minutes') as signs
     from signing_keys
     where created_at > now() - interval '91 days' and (retires_at is null or retires_at > now())
     order by retires_at is null, created_at desc, kid`,
  );
  return rows;
}

export async function insertSigningKey(tx: Queryable, row: Omit<SigningKeyRow, 'signs'>): Promise<void> {
  await tx.query('insert into signing_keys (kid, public_jwk, sealed_private_jwk) values ($1, $2, $3)', [
    row.kid,
    row.public_jwk,
    row.sealed_private_jwk,
  ]);
}

/** Other processes use a cached key for up to ten more minutes, and tokens live for fifteen. */
export async function retireSigningKeys(tx: Queryable): Promise<void> {
  await tx.query(`update signing_keys set retires_at = now() + interval '1 hour' where retires_at is null`);
}

/** No effect if another process has resealed it since. */
export async function replaceSealed(db: Queryable, kid: string, change: { from: string; to: string }): Promise<void> {
  await db.query('update signing_keys set sealed_private_jwk = $3 where kid = $1 and sealed_private_jwk = $2', [
    kid,
    change.from,
    change.to,
  ]);
}
