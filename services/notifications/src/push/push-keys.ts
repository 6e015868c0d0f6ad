import { createECDH } from 'node:crypto';

/** A pair of VAPID keys (RFC 8292) in base64url. */
export type PushKey = { publicKey: string; privateKey: string };

const CURVE = 'prime256v1';

/** Throws if the bytes are not a private key of the curve P-256. */
export function toPushKey(privateKey: Uint8Array): PushKey {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey);
  return {
    publicKey: pair.getPublicKey('base64url', 'uncompressed'),
    privateKey: Buffer.from(privateKey).toString('base64url'),
  };
}

export function isPushKey(privateKey: Uint8Array): boolean {
  try {
    toPushKey(privateKey);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether browsers can decrypt with the key: whether it is a point of the curve. */
export function isPointOfCurve(publicKey: string): boolean {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    pair.computeSecret(publicKey, 'base64url');
    return true;
  } catch {
    return false;
  }
}
