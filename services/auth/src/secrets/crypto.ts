import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

/** Tokens have 256 random bits, so the hash needs no salt. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Constant-time comparison. */
export const isSameSecret = (actual: string, expected: string): boolean =>
  timingSafeEqual(hashToken(actual), hashToken(expected));

type Secrets = Pick<Config, 'KEY_ENCRYPTION_SECRET' | 'KEY_ENCRYPTION_SECRET_PREVIOUS'>;
/** The first key seals, any of them opens. */
export type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** The current key for a purpose and, during a rotation, the previous one. */
export function deriveKeys({ KEY_ENCRYPTION_SECRET, KEY_ENCRYPTION_SECRET_PREVIOUS }: Secrets, purpose: string): Keys {
  const previous = KEY_ENCRYPTION_SECRET_PREVIOUS === undefined ? [] : [KEY_ENCRYPTION_SECRET_PREVIOUS];
  return [deriveKey(KEY_ENCRYPTION_SECRET, purpose), ...previous.map((secret) => deriveKey(secret, purpose))];
}

/** 32 bytes from the configured secret (HKDF, RFC 5869); the purpose separates keys. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'atrium auth', purpose, 32));
}
