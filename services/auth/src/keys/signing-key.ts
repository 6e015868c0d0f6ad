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
import type { Keys } from '../derive-key.ts';
import type { SigningKeyRow } from './signing-key-repository.ts';

/** A new Ed25519 key pair, the private key sealed (compact JWE, direct key, A256GCM). */
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

/** Throws if none of the keys opens it. */
export async function openSigningKey(sealed: string, [current, ...others]: Keys): Promise<CryptoKey> {
  const opening = open(sealed, current).catch((error: unknown) => {
    if (others.length === 0) throw error;
    return Promise.any(others.map((key) => open(sealed, key)));
  });
  const jwk = JSON.parse(new TextDecoder().decode(await opening)) as JWK;
  const key = await importJWK(jwk, 'EdDSA');
  if (key instanceof Uint8Array) throw new Error('Sealed signing key is not an Ed25519 key');
  return key;
}

/** Returns undefined if it is sealed with the first key already, or none opens it. */
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
