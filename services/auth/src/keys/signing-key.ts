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
import type { SigningKeyRow } from './signing-key-repository.ts';

/** A new Ed25519 pair, the private half sealed (compact JWE, direct key, A256GCM). */
export async function generateSigningKey(sealingKey: Uint8Array): Promise<Omit<SigningKeyRow, 'signs'>> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const kid = await calculateJwkThumbprint(publicKey);
  const bytes = new TextEncoder().encode(JSON.stringify(await exportJWK(privateKey)));
  return {
    kid,
    public_jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' },
    sealed_private_jwk: await new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(sealingKey),
  };
}

/** Throws when it was sealed with another key. */
export async function openSigningKey(sealed: string, sealingKey: Uint8Array): Promise<CryptoKey> {
  const { plaintext } = await compactDecrypt(sealed, sealingKey, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  const jwk = JSON.parse(new TextDecoder().decode(plaintext)) as JWK;
  const key = await importJWK(jwk, 'EdDSA');
  if (key instanceof Uint8Array) throw new Error('the sealed key is not an Ed25519 key');
  return key;
}
