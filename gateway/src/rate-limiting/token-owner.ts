import { hash } from 'node:crypto';
import { ACCESS_TOKEN, isKeySetUnavailable } from '@atrium/service-kit/http/authenticate';
import { type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

export type Owner = { userId: string; expired: boolean };
export type TokenOwner = (authorization: string | undefined) => Owner | undefined | Promise<Owner | undefined>;

const CACHE_SIZE = 50_000;
const KEY_SET_RETRY_DELAY_MS = 5_000;
/** How long an expired token still identifies its user; sessions expire after the same idle time. */
const MAX_EXPIRED_AGE = '30 days';

/**
 * Identifies the user of a token for rate limiting only; services authenticate on their own. Verifies signatures, because a forged token
 * could use up another user's limit. Accepts expired tokens. Returns undefined without a valid token.
 */
export function createTokenOwner(keys: JWTVerifyGetKey): TokenOwner {
  const owners = new LRUCache<string, { userId: string; expiresAt: number }>({ max: CACHE_SIZE });
  let keysUnavailableUntil = 0;

  const verify = async (token: string, key: string): Promise<Owner | undefined> => {
    if (performance.now() < keysUnavailableUntil) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...ACCESS_TOKEN,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: MAX_EXPIRED_AGE,
      });
      const known = { userId: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1000 };
      owners.set(key, known);
      return ownerAt(known);
    } catch (error) {
      // Until the keys are available, requests count against the IP address and do not wait.
      if (isKeySetUnavailable(error)) keysUnavailableUntil = performance.now() + KEY_SET_RETRY_DELAY_MS;
      return undefined;
    }
  };

  return (authorization) => {
    if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
    const token = authorization.slice(7);
    const key = hash('sha256', token, 'base64url');
    const known = owners.get(key);
    if (known) return ownerAt(known);
    return verify(token, key);
  };
}

const ownerAt = ({ userId, expiresAt }: { userId: string; expiresAt: number }): Owner => ({
  userId,
  expired: expiresAt <= Date.now(),
});
