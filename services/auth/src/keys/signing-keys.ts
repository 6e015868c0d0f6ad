import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import {
  CompactEncrypt,
  type CryptoKey,
  calculateJwkThumbprint,
  compactDecrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Keys } from '../secrets/crypto.ts';

export type SigningKeyRow = { kid: string; public_jwk: JWK; sealed_private_jwk: string; signs: boolean };

const SIGNING_KEYS_LOCK = 0x6b657973;

/** Serializes key creation until the transaction ends. */
export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [SIGNING_KEYS_LOCK]);
}

/**
 * The signing key comes first. A key signs for 90 days or until it is replaced, and verifies until its last token
 * expires. A replacement is published for a minute before it signs, because verifiers refetch keys at most once per
 * second.
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

/**
 * Keys stay valid for an hour: other processes sign with a cached key for up to ten minutes, and tokens live for
 * fifteen.
 */
export async function retireSigningKeys(tx: Queryable): Promise<void> {
  await tx.query(`update signing_keys set retires_at = now() + interval '1 hour' where retires_at is null`);
}

/** Has no effect if another process has resealed the key since. */
export async function replaceSealed(db: Queryable, kid: string, change: { from: string; to: string }): Promise<void> {
  await db.query('update signing_keys set sealed_private_jwk = $3 where kid = $1 and sealed_private_jwk = $2', [
    kid,
    change.from,
    change.to,
  ]);
}

/** Generates an Ed25519 key pair and seals the private key (compact JWE, direct key, A256GCM). */
export async function generateSigningKey([sealingKey]: Keys): Promise<Omit<SigningKeyRow, 'signs'>> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const kid = await calculateJwkThumbprint(publicKey);
  const bytes = new TextEncoder().encode(JSON.stringify(await exportJWK(privateKey)));
  return {
    kid,
    public_jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' },
    sealed_private_jwk: await seal(bytes, sealingKey),
  };
}

export async function openSigningKey(sealed: string, [current, ...others]: Keys): Promise<CryptoKey> {
  const decryption = open(sealed, current).catch((error: unknown) => {
    if (others.length === 0) throw error;
    return Promise.any(others.map((key) => open(sealed, key)));
  });
  const jwk = JSON.parse(new TextDecoder().decode(await decryption)) as JWK;
  const key = await importJWK(jwk, 'EdDSA');
  if (key instanceof Uint8Array) throw new Error('Sealed signing key is not an Ed25519 key');
  return key;
}

/** Returns undefined if the key is already sealed with the first sealing key, or no sealing key opens it. */
export async function resealSigningKey(sealed: string, [current, ...others]: Keys): Promise<string | undefined> {
  if (others.length === 0 || (await isOpenedBy(sealed, current))) return undefined;
  const bytes = await Promise.any(others.map((key) => open(sealed, key))).catch(() => undefined);
  return bytes && seal(bytes, current);
}

const isOpenedBy = (sealed: string, key: Uint8Array): Promise<boolean> =>
  open(sealed, key).then(
    () => true,
    () => false,
  );

const seal = (bytes: Uint8Array, sealingKey: Uint8Array): Promise<string> =>
  new CompactEncrypt(bytes).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(sealingKey);

async function open(sealed: string, sealingKey: Uint8Array): Promise<Uint8Array> {
  const { plaintext } = await compactDecrypt(sealed, sealingKey, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  return plaintext;
}
