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

/** Suffices for the active users of a pod within the lifetime of a token, and takes about 12 MB. */
const CACHE_SIZE = 50_000;
/** Maximum age of a token that may be ahead of the directory; allows for clock skew. */
const RECENT_TOKEN_MS = 30_000;
const PROPAGATION_TIMEOUT_MS = 2_000;

/** Checks the signature once per token, and the user and the session on every use. */
export function createTokenVerifier({ keys, directory, revocations }: VerifierDeps): TokenVerifier {
  const verifiedClaims = new LRUCache<string, Claims>({ max: CACHE_SIZE });
  return {
    async verify(token) {
      if (!token) throw unauthorized();
      const key = createHash('sha256').update(token).digest('base64url');
      const claims = verifiedClaims.get(key) ?? (await checkSignature(token, keys));
      if (claims.expiresAt <= Date.now()) throw rejectedToken(claims);
      verifiedClaims.set(key, claims);
      const user = await findActiveUser(claims, directory);
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

async function findActiveUser(claims: Claims, directory: Directory): Promise<DirectoryUser> {
  const knownUser = directory.user(claims.userId);
  const canBeAhead = knownUser === undefined || claims.issuedAt > Date.now() - RECENT_TOKEN_MS;
  const hasEnded = knownUser !== undefined && knownUser.sessionsValidAfter > claims.issuedAt;
  if (!isActive(knownUser) && canBeAhead && !hasEnded)
    await directory.whenUser(claims.userId, isActive, PROPAGATION_TIMEOUT_MS);
  const user = directory.user(claims.userId);
  if (user && isActive(user)) return user;
  // The user has a token, so they have accepted their invitation. That event has not arrived, which takes longer only
  // while NATS is unavailable.
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
    return { ...parseTokenOwner(payload), issuedAt: Math.round(iat * 1000), expiresAt: exp * 1000 };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isKeySetUnavailable(error)) throw unavailable('Sign-in cannot be checked right now', error);
    throw error instanceof errors.JWTExpired
      ? rejectedToken(parseTokenOwner(error.payload), error)
      : unauthorized(error);
  }
}

type TokenOwner = { userId: string; sessionId: string };

function parseTokenOwner({ sub, sid }: JWTPayload): TokenOwner {
  const userId = id.safeParse(sub);
  if (!userId.success || typeof sid !== 'string') throw unauthorized();
  return { userId: userId.data, sessionId: sid };
}

export function rejectedToken({ userId, sessionId }: TokenOwner, cause?: unknown): AppError {
  return new AppError('unauthorized', 'Unauthorized', { tokenOwner: { userId, sessionId }, cause });
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
 * How long keys are cached before they are refetched, and how much longer they are used if that fails: for the lifetime
 * of a token.
 */
const KEYS_FRESH_MS = 60 * 60_000;
const KEYS_STALE_MS = 15 * 60_000;

type RemoteKeys = JWTVerifyGetKey & {
  /** Concurrent callers share one fetch. Rejects if the keys are unavailable. */
  load(): Promise<void>;
};

/** Creates the key set on first use, since it loads the HTTP client of the runtime: several megabytes. */
export function remoteKeys(
  url: string,
  { timeoutMs, retryAfterMs }: { timeoutMs: number; retryAfterMs: number },
): RemoteKeys {
  const cache: JWKSCacheInput = {};
  const options = {
    timeoutDuration: timeoutMs,
    cooldownDuration: retryAfterMs,
    cacheMaxAge: KEYS_FRESH_MS + KEYS_STALE_MS,
    [jwksCache]: cache,
  };
  let keySet: ReturnType<typeof createRemoteJWKSet> | undefined;
  const openKeySet = () => {
    keySet ??= createRemoteJWKSet(new URL(url), options);
    return keySet;
  };
  let lastFailedFetchAt = Number.NEGATIVE_INFINITY;
  const findKey: JWTVerifyGetKey = async (header, token) => {
    const keys = openKeySet();
    const isStale = cache.uat !== undefined && Date.now() - cache.uat > KEYS_FRESH_MS;
    // If the fetch fails, the cached keys are used. Once these have expired, the key set itself fetches, and throws.
    if (isStale && Date.now() - lastFailedFetchAt >= retryAfterMs) {
      await keys.reload().catch(() => {
        lastFailedFetchAt = Date.now();
      });
    }
    return keys(header, token);
  };
  const load = async () => {
    if (!openKeySet().jwks()) await openKeySet().reload();
  };
  return Object.assign(findKey, { load });
}
