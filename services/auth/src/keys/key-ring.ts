import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type CryptoKey, createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Keys } from '../derive-key.ts';
import { generateSigningKey, openSigningKey, resealSigningKey } from './signing-key.ts';
import {
  insertSigningKey,
  lockSigningKeys,
  readSigningKeys,
  replaceSealed,
  retireSigningKeys,
  type SigningKeyRow,
} from './signing-key-repository.ts';

/** The signing keys, which all pods share through the database. */
export type KeyRing = {
  /** The key that signs now; made when there is none. */
  signer(): Promise<Signer>;
  /** What verifiers need: all keys of which a valid token may still be about. */
  publicKeys(): Promise<JSONWebKeySet>;
  /** The same for this process's own verifier. */
  verify: JWTVerifyGetKey;
};

export type Signer = { kid: string; key: CryptoKey };
type Loaded = { at: number; signer: Signer; jwks: JSONWebKeySet; verify: JWTVerifyGetKey };

const RELOAD_MS = 10 * 60 * 1000;
/** Whoever asks for the set, or brings an unknown key, may have met another pod's new key: worth a look, at most this often. */
const LOOK_MS = 1_000;

/** Loads at first use: the database may come later than this process. */
export function createKeyRing(db: Db, sealingKeys: Keys, log: Logger): KeyRing {
  let loaded: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  const load = () => {
    loading ??= loadKeys(db, sealingKeys, log)
      .then((keys) => {
        loaded = keys;
        return keys;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  const atMost = (age: number) => (loaded && performance.now() - loaded.at < age ? Promise.resolve(loaded) : load());
  // Keys live for months: those we have do for as long as the database is away.
  const orKnown = (error: unknown) => {
    if (!loaded) throw error;
    log.warn({ err: error }, 'the signing keys could not be read again');
    return loaded;
  };
  return {
    signer: async () => (await atMost(RELOAD_MS)).signer,
    publicKeys: async () => (await atMost(LOOK_MS).catch(orKnown)).jwks,
    async verify(header, token) {
      const keys = await atMost(RELOAD_MS).catch(orKnown);
      const known = keys.jwks.keys.some(({ kid }) => kid === header?.kid);
      return (known ? keys : await atMost(LOOK_MS)).verify(header, token);
    },
  };
}

async function loadKeys(db: Db, sealingKeys: Keys, log: Logger): Promise<Loaded> {
  const rows = await readSigningKeys(db);
  await resealAll(db, rows, sealingKeys, log);
  const signer = (await findSigner(rows, sealingKeys, log)) ?? (await makeSigner(db, sealingKeys, log));
  const current = rows.some(({ kid }) => kid === signer.kid) ? rows : await readSigningKeys(db);
  const jwks = { keys: current.map(({ public_jwk }) => public_jwk) };
  return { at: performance.now(), signer, jwks, verify: createLocalJWKSet(jwks) };
}

async function findSigner(rows: SigningKeyRow[], sealingKeys: Keys, log: Logger): Promise<Signer | undefined> {
  for (const { kid, sealed_private_jwk, signs } of rows) {
    if (!signs) continue;
    try {
      return { kid, key: await openSigningKey(sealed_private_jwk, sealingKeys) };
    } catch (error) {
      log.warn({ err: error, kid }, 'a signing key cannot be opened: it was sealed with another KEY_ENCRYPTION_SECRET');
    }
  }
  return undefined;
}

/** What the other key has sealed, while the secret is changed. Processes with both in the other order undo it, until they are gone. */
async function resealAll(db: Db, rows: SigningKeyRow[], sealingKeys: Keys, log: Logger): Promise<void> {
  for (const { kid, sealed_private_jwk: from } of rows) {
    const to = await resealSigningKey(from, sealingKeys);
    if (!to) continue;
    await replaceSealed(db, kid, { from, to });
    log.info({ kid }, 'sealed a signing key with the new KEY_ENCRYPTION_SECRET');
  }
}

/** Makes a key that signs from now on. Those of before verify until what they have signed has run out. */
export async function rotateSigningKey(db: Db, sealingKeys: Keys, log: Logger): Promise<void> {
  await db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    await retireSigningKeys(tx);
    await insertNewKey(tx, sealingKeys, log);
  });
}

/** Of several processes that find no key, one makes it and the others take that one. */
async function makeSigner(db: Db, sealingKeys: Keys, log: Logger): Promise<Signer> {
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const made = await findSigner(await readSigningKeys(tx), sealingKeys, log);
    if (made) return made;
    return insertNewKey(tx, sealingKeys, log);
  });
}

async function insertNewKey(tx: Queryable, sealingKeys: Keys, log: Logger): Promise<Signer> {
  const row = await generateSigningKey(sealingKeys);
  await insertSigningKey(tx, row);
  log.info({ kid: row.kid }, 'made a signing key');
  return { kid: row.kid, key: await openSigningKey(row.sealed_private_jwk, sealingKeys) };
}
