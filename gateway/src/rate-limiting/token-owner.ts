import { hash } from 'node:crypto';
import { ACCESS_TOKEN, isKeySetAway } from '@atrium/service-kit/http/authenticate';
import { type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

export type Owner = { userId: string; expired: boolean };
export type TokenOwner = (authorization: string | undefined) => Owner | undefined | Promise<Owner | undefined>;

const CACHE_SIZE = 50_000;
const KEYS_AWAY_MS = 5_000;
/** A laptop that slept for a holiday shows the token it fell asleep with; a session lives as long without being used. */
const EXPIRED_AT_MOST = '30 days';

/**
 * Whose token it is, for the budget it is charged to, and for nothing else: the services decide themselves whom they serve. The
 * signature is checked because a forged name would let anyone spend another person's budget. A token that has expired still says
 * who wakes up there. Without a person: undefined.
 */
export function createTokenOwner(keys: JWTVerifyGetKey): TokenOwner {
  const owners = new LRUCache<string, { userId: string; expiresAt: number }>({ max: CACHE_SIZE });
  let keysAwayUntil = 0;

  const verify = async (token: string, key: string): Promise<Owner | undefined> => {
    if (performance.now() < keysAwayUntil) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...ACCESS_TOKEN,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: EXPIRED_AT_MOST,
      });
      const known = { userId: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1000 };
      owners.set(key, known);
      return ownerAt(known);
    } catch (error) {
      // Without keys nobody can be told apart for a while: then the address pays, and no request waits for keys that do not come.
      if (isKeySetAway(error)) keysAwayUntil = performance.now() + KEYS_AWAY_MS;
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
