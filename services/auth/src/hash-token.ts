import { createHash, timingSafeEqual } from 'node:crypto';

/** Tokens have 256 random bits, so the hash needs no salt. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Constant-time comparison. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hashToken(given), hashToken(expected));
