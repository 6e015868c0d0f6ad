import { randomBytes } from 'node:crypto';

const MARK = /^[\w-]{43}$/;

/**
 * What a browser keeps to be known again: 32 random bytes in base64url, made here. The one that it sends stays its own also for a second
 * account; anything else is replaced.
 */
export function issueDeviceToken(given: string | undefined): string {
  return given !== undefined && MARK.test(given) ? given : randomBytes(32).toString('base64url');
}
