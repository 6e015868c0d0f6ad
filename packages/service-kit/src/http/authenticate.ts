import { createHash } from 'node:crypto';
import { id } from '@atrium/proto-events/fields';
import type { DirectoryUser, Role } from '@atrium/proto-events/people';
import {
  createRemoteJWKSet,
  errors,
  type JWKSCacheInput,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwksCache,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { assignedDepartmentId, canBecomeActive, isActive } from '../directory/active-users.ts';
import type { Directory } from '../directory/directory.ts';
import type { Revocations } from '../directory/revocations.ts';
import { AppError, unavailable } from '../errors/app-error.ts';

export const TOKEN_ISSUER = 'atrium';
export const TOKEN_AUDIENCE = 'atrium-api';
export const TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN = {
  algorithms: ['EdDSA'],
  issuer: TOKEN_ISSUER,
  audience: TOKEN_AUDIENCE,
  typ: TOKEN_TYPE,
} satisfies JWTVerifyOptions;

/** `role` and `departmentId` are the directory's, so they are no staler than an event. */
export type Caller = {
  userId: string;
  role: Role;
  sessionId: string;
  departmentId?: string | null;
  /** Milliseconds since 1970. */
  issuedAt?: number;
};

type Claims = { userId: string; sessionId: string; issuedAt: number; expiresAt: number };

export type TokenVerifier = {
  /**
   * Throws `unauthorized` for a missing, invalid, expired, or revoked token, `unavailable` if it cannot be verified
   * now.
   */
  verify(token: string | undefined): Promise<Caller & { issuedAt: number; expiresAt: number }>;
};

type VerifierDeps = { keys: JWTVerifyGetKey; directory: Directory; revocations: Revocations };

/** Active users per pod within the lifetime of a token; some 12 MB. */
const CACHE_SIZE = 50_000;
/** A token this recent may be ahead of the directory; allows for clock skew. */
const YOUNG_MS = 30_000;
const SETTLE_MS = 2_000;

/** Signatures are checked once per token; user and session on every use. */
export function createTokenVerifier({ keys, directory, revocations }: VerifierDeps): TokenVerifier {
  const checked = new LRUCache<string, Claims>({ max: CACHE_SIZE });
  return {
    async verify(token) {
      if (!token) throw unauthorized();
      const key = createHash('sha256').update(token).digest('base64url');
      const claims = checked.get(key) ?? (await checkSignature(token, keys));
      if (claims.expiresAt <= Date.now()) throw rejectedToken(claims);
      checked.set(key, claims);
      const user = await currentUser(claims, directory);
      if (revocations.has(claims.sessionId) || user.sessionsValidAfter > claims.issuedAt) throw rejectedToken(claims);
      const { sessionId, issuedAt, expiresAt } = claims;
      return {
        userId: user._id,
        role: user.role,
        departmentId: assignedDepartmentId(user),
        sessionId,
        issuedAt,
        expiresAt,
      };
    },
  };
}

async function currentUser(claims: Claims, directory: Directory): Promise<DirectoryUser> {
  const known = directory.user(claims.userId);
  const young = known === undefined || claims.issuedAt > Date.now() - YOUNG_MS;
  const ended = known !== undefined && known.sessionsValidAfter > claims.issuedAt;
  if (!isActive(known) && young && !ended) await directory.whenUser(claims.userId, isActive, SETTLE_MS);
  const user = directory.user(claims.userId);
  if (user && isActive(user)) return user;
  // The user has a token, so they accepted their invitation; the event has not arrived yet, at most while NATS is
  // unavailable.
  if (user && canBecomeActive(user)) throw unavailable('This is not possible right now. Please try again in a moment.');
  throw rejectedToken(claims);
}

async function checkSignature(token: string, keys: JWTVerifyGetKey): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...ACCESS_TOKEN,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    });
    const { iat = 0, exp = 0 } = payload;
    return { ...personOf(payload), issuedAt: Math.round(iat * 1000), expiresAt: exp * 1000 };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isKeySetUnavailable(error)) throw unavailable('Sign-in cannot be checked right now', error);
    throw error instanceof errors.JWTExpired ? rejectedToken(personOf(error.payload), error) : unauthorized(error);
  }
}

type Person = { userId: string; sessionId: string };

function personOf({ sub, sid }: JWTPayload): Person {
  const userId = id.safeParse(sub);
  if (!userId.success || typeof sid !== 'string') throw unauthorized();
  return { userId: userId.data, sessionId: sid };
}

export function rejectedToken({ userId, sessionId }: Person, cause?: unknown): AppError {
  return new AppError('unauthorized', 'Unauthorized', { person: { userId, sessionId }, cause });
}

export function isKeySetUnavailable(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC'
  );
}

function unauthorized(cause?: unknown): AppError {
  return new AppError('unauthorized', 'Unauthorized', { cause });
}

/**
 * How long keys are cached before a refetch, and how much longer they are used if that fails: as long as a token
 * lives.
 */
const KEYS_FRESH_MS = 60 * 60_000;
const KEYS_STALE_MS = 15 * 60_000;

const cleared = (): JWKSCacheInput => ({});

type RemoteKeys = JWTVerifyGetKey & {
  /** Concurrent callers share one fetch. Rejects if the keys are unavailable. */
  load(): Promise<void>;
};

/** Created on first use, since it loads the runtime's HTTP client: several megabytes. */
export function remoteKeys(
  url: string,
  { timeoutMs, retryAfterMs }: { timeoutMs: number; retryAfterMs: number },
): RemoteKeys {
  const cached = cleared();
  const options = {
    timeoutDuration: timeoutMs,
    cooldownDuration: retryAfterMs,
    cacheMaxAge: KEYS_FRESH_MS + KEYS_STALE_MS,
    [jwksCache]: cached,
  };
  let keySet: ReturnType<typeof createRemoteJWKSet> | undefined;
  const openKeySet = () => {
    keySet ??= createRemoteJWKSet(new URL(url), options);
    return keySet;
  };
  let lastFailedFetchAt = Number.NEGATIVE_INFINITY;
  const find: JWTVerifyGetKey = async (header, token) => {
    const keys = openKeySet();
    const isOld = cached.uat !== undefined && Date.now() - cached.uat > KEYS_FRESH_MS;
    // If the fetch fails, the cached keys are used; once they are too old as well, the key set itself fetches, and
    // throws.
    if (isOld && Date.now() - lastFailedFetchAt >= retryAfterMs) {
      await keys.reload().catch(() => {
        lastFailedFetchAt = Date.now();
      });
    }
    return keys(header, token);
  };
  const load = async () => {
    if (!openKeySet().jwks()) await openKeySet().reload();
  };
  return Object.assign(find, { load });
}
