import { createHmac, randomBytes } from 'node:crypto';
import type { Keys } from '../derive-key.ts';
import { hashToken, isSameSecret } from '../hash-token.ts';

/** What a session's refresh tokens are made from, beside a secret that the database does not have. */
export type TokenFamily = { id: string; token_seed: Buffer };

/**
 * Refresh tokens: `<session>.<number>.<HMAC>`, one after the other. So a session needs one row, which says how far it has come, and
 * still knows each token that it ever had; two tabs that renew at once get the same one, and nothing usable is stored.
 */
export type RefreshTokens = {
  make(line: TokenFamily, number: number): string;
  /** The same once more, as it was made: by another key where a pod with another one was asked before. */
  makeAgain(line: TokenFamily, number: number, hash: Buffer): string;
  /** The number of a token that was made from this line; undefined for any other. */
  numberOf(token: string, line: TokenFamily): number | undefined;
};

/** Another seed ends every token that was made from the one before. */
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

/** Whose token it says it is. */
export const sessionOfToken = (token: string): string | undefined => partsOf(token)?.id;

function partsOf(token: string) {
  const [, id, number] = /^([\w-]{1,64})\.(0|[1-9]\d{0,8})\.[\w-]{43}$/.exec(token) ?? [];
  return id && number ? { id, number: Number(number) } : undefined;
}
