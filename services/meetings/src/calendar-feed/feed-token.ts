import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** A secret that nobody guesses, as it stands in an address. */
export const newToken = (): string => randomBytes(BYTES).toString('base64url');

/** What is kept of it: it is random in all of its length, so that one round of a fast hash is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
