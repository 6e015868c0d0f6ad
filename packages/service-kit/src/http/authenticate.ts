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
import { canBecomeActive, isActive } from '../directory/active-users.ts';
import { assignedDepartmentId } from '../directory/assigned-department.ts';
import type { Directory } from '../directory/directory.ts';
import type { Revocations } from '../directory/revocations.ts';
import { AppError, unavailable } from './app-error.ts';

/** `iss` and `aud` of every access token (decisions, section 2). */
export const TOKEN_ISSUER = 'atrium';
export const TOKEN_AUDIENCE = 'atrium-api';
export const TOKEN_TYPE = 'at+jwt';
/** What every access token is checked for, by whoever checks one. */
export const ACCESS_TOKEN = {
  algorithms: ['EdDSA'],
  issuer: TOKEN_ISSUER,
  audience: TOKEN_AUDIENCE,
  typ: TOKEN_TYPE,
} satisfies JWTVerifyOptions;

/** Who calls. `role` and `departmentId`, of who is in one, are the directory's, so never staler than an event. */
export type Caller = {
  userId: string;
  role: Role;
  sessionId: string;
  departmentId?: string | null;
  /** Of the token of this call, in milliseconds since 1970. */
  issuedAt?: number;
};

type Claims = { userId: string; sessionId: string; issuedAt: number; expiresAt: number };

export type TokenVerifier = {
  /** Throws `unauthorized` for a missing, bad, expired or revoked token, `unavailable` where it cannot be judged right now. */
  verify(token: string | undefined): Promise<Caller & { issuedAt: number; expiresAt: number }>;
};

export type VerifierDeps = { keys: JWTVerifyGetKey; directory: Directory; revocations: Revocations };

/** As many people as are at work on one pod in the minutes that a token lives; some 12 MB. */
const CACHE_SIZE = 50_000;
/** A token this young may be ahead of the directory, and so may any of somebody unknown: our clock may be, too. */
const YOUNG_MS = 30_000;
const SETTLE_MS = 2_000;

/** Verifies access tokens without a call. Signatures are checked once a token; person and session at every use. */
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
  // They have a token, so they accepted their invitation; the news of it is on its way, for as long as NATS is away.
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

/** Whose token it is. Throws `unauthorized` where it names nobody, or no session. */
function personOf({ sub, sid }: JWTPayload): Person {
  const userId = id.safeParse(sub);
  if (!userId.success || typeof sid !== 'string') throw unauthorized();
  return { userId: userId.data, sessionId: sid };
}

/** The refusal of a token that is somebody's: it has expired, or its session, or their account, has ended. */
export function rejectedToken({ userId, sessionId }: Person, cause?: unknown): AppError {
  return new AppError('unauthorized', 'Unauthorized', { person: { userId, sessionId }, cause });
}

/** Whether a token could not be checked because the keys could not be fetched: not the token's fault. */
export function isKeySetUnavailable(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC'
  );
}

function unauthorized(cause?: unknown): AppError {
  return new AppError('unauthorized', 'Unauthorized', { cause });
}

/** How long keys are kept before they are asked for again, and how much longer they serve where nobody answers: as long as a token lives. */
const KEYS_FRESH_MS = 60 * 60_000;
const KEYS_STALE_MS = 15 * 60_000;

const nothingKept = (): JWKSCacheInput => ({});

/** Keys that are fetched when a token needs them, or before. */
export type RemoteKeys = JWTVerifyGetKey & {
  /** Fetches them unless they are there; one fetch serves all who wait. Rejects where they cannot be had now. */
  load(): Promise<void>;
};

/**
 * The auth service's keys. Made when they are first needed: it loads the runtime's HTTP client, several megabytes of a process that may
 * never check a token.
 */
export function remoteKeys(
  url: string,
  { timeoutMs, againAfterMs }: { timeoutMs: number; againAfterMs: number },
): RemoteKeys {
  const kept = nothingKept();
  const options = {
    timeoutDuration: timeoutMs,
    cooldownDuration: againAfterMs,
    cacheMaxAge: KEYS_FRESH_MS + KEYS_STALE_MS,
    [jwksCache]: kept,
  };
  let made: ReturnType<typeof createRemoteJWKSet> | undefined;
  const opened = () => {
    made ??= createRemoteJWKSet(new URL(url), options);
    return made;
  };
  let lastFailedFetchAt = Number.NEGATIVE_INFINITY;
  const find: JWTVerifyGetKey = async (header, token) => {
    const keys = opened();
    const isOld = kept.uat !== undefined && Date.now() - kept.uat > KEYS_FRESH_MS;
    // Without an answer those of before do; once they are too old as well, the set itself asks, and throws.
    if (isOld && Date.now() - lastFailedFetchAt >= againAfterMs) {
      await keys.reload().catch(() => {
        lastFailedFetchAt = Date.now();
      });
    }
    return keys(header, token);
  };
  const load = async () => {
    if (!opened().jwks()) await opened().reload();
  };
  return Object.assign(find, { load });
}
