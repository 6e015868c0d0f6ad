import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Refresh tokens: 32 bytes in base64url that mean nothing by themselves. The database holds only their hashes. */
export type RefreshTokens = {
  create(): string;
  /**
   * The token that follows this one. It is made from it and a secret, so that two tabs that refresh at once get the same one
   * without anything usable being stored.
   */
  successorOf(token: string): string;
};

export function createRefreshTokens(successorKey: Uint8Array): RefreshTokens {
  return {
    create: () => randomBytes(32).toString('base64url'),
    successorOf: (token) => createHmac('sha256', successorKey).update(token).digest('base64url'),
  };
}

/** How a token stands in the database: no salt is needed for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
