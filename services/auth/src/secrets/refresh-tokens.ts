import { createHmac, randomBytes } from 'node:crypto';
import { hashToken, isSameSecret, type Keys } from './crypto.ts';

/** The values from which the tokens of a session are derived, together with a secret outside the database. */
type TokenFamily = { id: string; token_seed: Buffer };

/**
 * Refresh tokens: `<session>.<number>.<HMAC>`, numbered consecutively. One row per session recognizes all of its
 * tokens; concurrent refreshes get the same token, and nothing usable is stored.
 */
export type RefreshTokens = {
  create(family: TokenFamily, number: number): string;
  /** Recreates a token with the key that created it, which another pod may use. */
  recreate(family: TokenFamily, number: number, hash: Buffer): string;
  /** Returns undefined for a token of another family. */
  getNumber(token: string, family: TokenFamily): number | undefined;
};

/** A new seed invalidates all earlier tokens. */
export const newTokenSeed = (): Buffer => randomBytes(16);

export function createRefreshTokens(keys: Keys): RefreshTokens {
  const [current] = keys;
  const createWithKey = (key: Uint8Array, { id, token_seed }: TokenFamily, number: number) => {
    const code = createHmac('sha256', key).update(token_seed).update(`${id}.${number}`).digest('base64url');
    return `${id}.${number}.${code}`;
  };
  const create = (family: TokenFamily, number: number) => createWithKey(current, family, number);
  const createWithAllKeys = (family: TokenFamily, number: number) =>
    keys.map((key) => createWithKey(key, family, number));
  return {
    create,
    recreate: (family, number, hash) =>
      createWithAllKeys(family, number).find((token) => hash.equals(hashToken(token))) ?? create(family, number),
    getNumber(token, family) {
      const number = parseToken(token)?.number;
      const isValid =
        number !== undefined && createWithAllKeys(family, number).some((validToken) => isSameSecret(token, validToken));
      return isValid ? number : undefined;
    },
  };
}

export const getSessionId = (token: string): string | undefined => parseToken(token)?.id;

function parseToken(token: string) {
  const [, id, number] = /^([\w-]{1,64})\.(0|[1-9]\d{0,8})\.[\w-]{43}$/.exec(token) ?? [];
  return id && number ? { id, number: Number(number) } : undefined;
}
