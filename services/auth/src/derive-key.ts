import { hkdfSync } from 'node:crypto';

/** A key of 32 bytes for one purpose from the configured secret (HKDF, RFC 5869): no two purposes ever share a key. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'atrium auth', purpose, 32));
}
