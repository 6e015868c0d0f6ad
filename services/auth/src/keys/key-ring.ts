import { createLogger, type Logger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { type CryptoKey, createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Config } from '../config.ts';
import { deriveKeys, type Keys } from '../secrets/crypto.ts';
import {
  generateSigningKey,
  insertSigningKey,
  lockSigningKeys,
  openSigningKey,
  readSigningKeys,
  replaceSealed,
  resealSigningKey,
  retireSigningKeys,
  type SigningKeyRow,
} from './signing-keys.ts';

export type KeyRing = {
  signer(): Promise<Signer>;
  publicKeys(): Promise<JSONWebKeySet>;
  verify: JWTVerifyGetKey;
};

type Signer = { kid: string; key: CryptoKey };
type LoadedKeys = { at: number; signer: Signer; jwks: JSONWebKeySet; verify: JWTVerifyGetKey };

const RELOAD_MS = 10 * 60 * 1000;
/**
 * Keys are reloaded at most this often for requests of the key set and unknown key ids, which may be new keys of other
 * pods.
 */
const MIN_RELOAD_INTERVAL_MS = 1_000;

/** Loads on first use: the database may become available after this process starts. */
export function createKeyRing(db: Db, sealingKeys: Keys, log: Logger): KeyRing {
  let loadedKeys: LoadedKeys | undefined;
  let pendingLoad: Promise<LoadedKeys> | undefined;
  const load = () => {
    pendingLoad ??= loadKeys(db, sealingKeys, log)
      .then((keys) => {
        loadedKeys = keys;
        return keys;
      })
      .finally(() => {
        pendingLoad = undefined;
      });
    return pendingLoad;
  };
  const getKeys = (maxAgeMs: number) =>
    loadedKeys && performance.now() - loadedKeys.at < maxAgeMs ? Promise.resolve(loadedKeys) : load();
  // Loaded keys stay valid while the database is unavailable.
  const fallBackToLoaded = (error: unknown) => {
    if (!loadedKeys) throw error;
    log.warn({ err: error }, 'Failed to reload signing keys');
    return loadedKeys;
  };
  return {
    signer: async () => (await getKeys(RELOAD_MS)).signer,
    publicKeys: async () => (await getKeys(MIN_RELOAD_INTERVAL_MS).catch(fallBackToLoaded)).jwks,
    async verify(header, token) {
      const keys = await getKeys(RELOAD_MS).catch(fallBackToLoaded);
      const isKnownKey = keys.jwks.keys.some(({ kid }) => kid === header?.kid);
      return (isKnownKey ? keys : await getKeys(MIN_RELOAD_INTERVAL_MS)).verify(header, token);
    },
  };
}

async function loadKeys(db: Db, sealingKeys: Keys, log: Logger): Promise<LoadedKeys> {
  const rows = await readSigningKeys(db);
  await resealAll(db, rows, sealingKeys, log);
  const signer = (await findSigner(rows, sealingKeys, log)) ?? (await createSigner(db, sealingKeys, log));
  const currentRows = rows.some(({ kid }) => kid === signer.kid) ? rows : await readSigningKeys(db);
  const jwks = { keys: currentRows.map(({ public_jwk }) => public_jwk) };
  return { at: performance.now(), signer, jwks, verify: createLocalJWKSet(jwks) };
}

async function findSigner(rows: SigningKeyRow[], sealingKeys: Keys, log: Logger): Promise<Signer | undefined> {
  for (const { kid, sealed_private_jwk, signs } of rows) {
    if (!signs) continue;
    try {
      return { kid, key: await openSigningKey(sealed_private_jwk, sealingKeys) };
    } catch (error) {
      log.warn({ err: error, kid }, 'Failed to open signing key: it was sealed with a different KEY_ENCRYPTION_SECRET');
    }
  }
  return undefined;
}

/**
 * Reseals keys with the first secret during a rotation. Pods with the secrets in the other order undo this until they
 * stop.
 */
async function resealAll(db: Db, rows: SigningKeyRow[], sealingKeys: Keys, log: Logger): Promise<void> {
  for (const { kid, sealed_private_jwk: from } of rows) {
    const to = await resealSigningKey(from, sealingKeys);
    if (!to) continue;
    await replaceSealed(db, kid, { from, to });
    log.info({ kid }, 'Signing key resealed with the new KEY_ENCRYPTION_SECRET');
  }
}

/** Creates the key that signs from now on; previous keys verify until their tokens expire. */
async function rotateSigningKey(db: Db, sealingKeys: Keys, log: Logger): Promise<void> {
  await db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    await retireSigningKeys(tx);
    await insertNewKey(tx, sealingKeys, log);
  });
}

/** Creates a key, or loads the key that another process without one has just created. */
async function createSigner(db: Db, sealingKeys: Keys, log: Logger): Promise<Signer> {
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const existing = await findSigner(await readSigningKeys(tx), sealingKeys, log);
    return existing ?? insertNewKey(tx, sealingKeys, log);
  });
}

async function insertNewKey(tx: Queryable, sealingKeys: Keys, log: Logger): Promise<Signer> {
  const row = await generateSigningKey(sealingKeys);
  await insertSigningKey(tx, row);
  log.info({ kid: row.kid }, 'Signing key created');
  return { kid: row.kid, key: await openSigningKey(row.sealed_private_jwk, sealingKeys) };
}

/** Command `rotate-keys`: the new key signs within eleven minutes, and the old one is removed after an hour. */
export async function rotateKeys(config: Config): Promise<void> {
  const log = createLogger('auth', config.LOG_LEVEL);
  const db = createDb(config.DATABASE_URL, 1, log);
  try {
    await rotateSigningKey(db, deriveKeys(config, 'signing keys'), log);
  } finally {
    await db.pool.end();
  }
}
