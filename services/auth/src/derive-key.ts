import { hkdfSync } from 'node:crypto';
import type { Config } from './config.ts';

type Secrets = Pick<Config, 'KEY_ENCRYPTION_SECRET' | 'KEY_ENCRYPTION_SECRET_PREVIOUS'>;
/** What is good at this time: the first makes and seals, any recognises and opens. */
export type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** The keys for one purpose: that of the secret, and that of the one beside it while it is changed. */
export function deriveKeys({ KEY_ENCRYPTION_SECRET, KEY_ENCRYPTION_SECRET_PREVIOUS }: Secrets, purpose: string): Keys {
  const previous = KEY_ENCRYPTION_SECRET_PREVIOUS === undefined ? [] : [KEY_ENCRYPTION_SECRET_PREVIOUS];
  return [deriveKey(KEY_ENCRYPTION_SECRET, purpose), ...previous.map((secret) => deriveKey(secret, purpose))];
}

/** A key of 32 bytes for one purpose from the configured secret (HKDF, RFC 5869): no two purposes ever share a key. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'atrium auth', purpose, 32));
}
