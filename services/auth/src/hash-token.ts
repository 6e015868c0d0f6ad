import { createHash, timingSafeEqual } from 'node:crypto';

/** How a token stands in the database: no salt is needed for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether a secret was given as it is, without telling by the time that takes how much of it was right. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hashToken(given), hashToken(expected));
