import { createHmac, randomBytes } from 'node:crypto';
import { hashToken, isSameSecret, type Keys } from './crypto.ts';

/** Input for the tokens of a session, in addition to a secret outside the database. */
type TokenFamily = { id: string; token_seed: Buffer };

/**
 * Refresh tokens: `<session>.<number>.<HMAC>`, numbered consecutively. One row per session recognizes all of its tokens; concurrent
 * refreshes get the same token, and nothing usable is stored.
 */
export type RefreshTokens = {
  make(family: TokenFamily, number: number): string;
  /** Recreates a token with the key that made it, which may be that of another pod. */
  recreate(family: TokenFamily, number: number, hash: Buffer): string;
  /** Undefined for a token that was not made from this family. */
  numberOf(token: string, family: TokenFamily): number | undefined;
};

/** A new seed invalidates all earlier tokens. */
export const newTokenSeed = (): Buffer => randomBytes(16);

export function createRefreshTokens(keys: Keys): RefreshTokens {
  const [current] = keys;
  const makeWithKey = (key: Uint8Array, { id, token_seed }: TokenFamily, number: number) => {
    const code = createHmac('sha256', key).update(token_seed).update(`${id}.${number}`).digest('base64url');
    return `${id}.${number}.${code}`;
  };
  const make = (family: TokenFamily, number: number) => makeWithKey(current, family, number);
  const makeWithAllKeys = (family: TokenFamily, number: number) => keys.map((key) => makeWithKey(key, family, number));
  return {
    make,
    recreate: (family, number, hash) =>
      makeWithAllKeys(family, number).find((token) => hash.equals(hashToken(token))) ?? make(family, number),
    numberOf(token, family) {
      const number = parseToken(token)?.number;
      const isOurs =
        number !== undefined && makeWithAllKeys(family, number).some((ownToken) => isSameSecret(token, ownToken));
      return isOurs ? number : undefined;
    },
  };
}

export const sessionOfToken = (token: string): string | undefined => parseToken(token)?.id;

function parseToken(token: string) {
  const [, id, number] = /^([\w-]{1,64})\.(0|[1-9]\d{0,8})\.[\w-]{43}$/.exec(token) ?? [];
  return id && number ? { id, number: Number(number) } : undefined;
}
