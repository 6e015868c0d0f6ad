import { randomBytes } from 'node:crypto';

const DEVICE_TOKEN = /^[\w-]{43}$/;

/** 32 random bytes in base64url. A valid token is kept, also for a second account; anything else is replaced. */
export function issueDeviceToken(given: string | undefined): string {
  return given !== undefined && DEVICE_TOKEN.test(given) ? given : randomBytes(32).toString('base64url');
}
