import { createHmac, randomBytes } from 'node:crypto';
import type { Keys } from '../derive-key.ts';
import { hashToken, isSameSecret } from '../hash-token.ts';

/** Input for the tokens of a session, in addition to a secret outside the database. */
export type TokenFamily = { id: string; token_seed: Buffer };

/**
 * Refresh tokens: `<session>.<number>.<HMAC>`, numbered consecutively. One row per session recognizes all of its tokens; concurrent
 * refreshes get the same token, and nothing usable is stored.
 */
export type RefreshTokens = {
  make(line: TokenFamily, number: number): string;
  /** Recreates a token with the key that made it, which may be that of another pod. */
  makeAgain(line: TokenFamily, number: number, hash: Buffer): string;
  /** Undefined for a token that was not made from this family. */
  numberOf(token: string, line: TokenFamily): number | undefined;
};

/** A new seed invalidates all earlier tokens. */
export const newTokenSeed = (): Buffer => randomBytes(16);

export function createRefreshTokens(keys: Keys): RefreshTokens {
  const [current] = keys;
  const makeBy = (key: Uint8Array, { id, token_seed }: TokenFamily, number: number) => {
    const code = createHmac('sha256', key).update(token_seed).update(`${id}.${number}`).digest('base64url');
    return `${id}.${number}.${code}`;
  };
  const make = (line: TokenFamily, number: number) => makeBy(current, line, number);
  const allOf = (line: TokenFamily, number: number) => keys.map((key) => makeBy(key, line, number));
  return {
    make,
    makeAgain: (line, number, hash) =>
      allOf(line, number).find((token) => hash.equals(hashToken(token))) ?? make(line, number),
    numberOf(token, line) {
      const number = partsOf(token)?.number;
      const isOurs = number !== undefined && allOf(line, number).some((made) => isSameSecret(token, made));
      return isOurs ? number : undefined;
    },
  };
}

export const sessionOfToken = (token: string): string | undefined => partsOf(token)?.id;

function partsOf(token: string) {
  const [, id, number] = /^([\w-]{1,64})\.(0|[1-9]\d{0,8})\.[\w-]{43}$/.exec(token) ?? [];
  return id && number ? { id, number: Number(number) } : undefined;
}
