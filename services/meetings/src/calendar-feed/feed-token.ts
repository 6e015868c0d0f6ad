import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

export const newToken = (): string => randomBytes(BYTES).toString('base64url');

/** Only the hash is stored; the token is random, so one round of a fast hash suffices. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
