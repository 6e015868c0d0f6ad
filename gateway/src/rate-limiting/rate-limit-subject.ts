import { hash } from 'node:crypto';
import { MAX_PASTED_EMAIL_LENGTH } from '@atrium/proto-events/fields';
import { parseEmailAddress } from '@atrium/proto-events/text/email';
import { ACCESS_TOKEN, isKeySetUnavailable } from '@atrium/service-kit/http/authenticate';
import { addressBlock } from '@atrium/service-kit/http/client-info';
import { type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { RateLimiters } from './rate-limit.ts';

export type RateLimitSubject = {
  key: string;
  isUser: boolean;
  /** The IPv4 address or the IPv6 /64. */
  subnet: string;
  /** The IPv4 address or the IPv6 /56 that a provider assigns to one customer. */
  customerNetwork: string;
};

/** Expired tokens have a separate quota, because a stolen token must not use up its owner's. */
export function rateLimitSubjectOf(owner: TokenOwner | undefined, address: string): RateLimitSubject {
  const subnet = addressBlock(address);
  const customerNetwork = addressBlock(address, 56);
  if (owner === undefined) return { key: subnet, isUser: false, subnet, customerNetwork };
  return { key: owner.isExpired ? `${owner.userId} expired` : owner.userId, isUser: true, subnet, customerNetwork };
}

/** Returns the seconds to wait, 0 if allowed. */
export function consumeRequest(subject: RateLimitSubject, methodAndPath: string, rateLimiters: RateLimiters): number {
  const retryAfterSeconds = subject.isUser
    ? rateLimiters.user.consume(subject.key)
    : rateLimiters.address.consume(subject.subnet);
  if (retryAfterSeconds > 0) return retryAfterSeconds;
  // Calendar services such as Google fetch many feeds from one address, so each feed has its own limit. Percent-encoded
  // URLs, which no client sends, share one.
  if (CALENDAR_FEED_CALL.test(methodAndPath))
    return rateLimiters.feed.consume(methodAndPath.includes('%') ? 'encoded' : digest(methodAndPath));
  if (UNSUBSCRIBE_CALL.test(methodAndPath)) return rateLimiters.signIn.consume(digest(methodAndPath));
  return methodAndPath === 'POST /api/client-errors' ? rateLimiters.clientErrors.consume(subject.key) : 0;
}

const CALENDAR_FEED_CALL = /^(?:GET|HEAD) \/api\/meetings\/feed\/[^/]+$/;
/** Mail services send these for many users from one address, so each link has its own limit. */
const UNSUBSCRIBE_CALL = /^POST \/api\/notifications\/unsubscribe\/[^/]+$/;
const REFRESH = 'POST /api/auth/refresh';
/** These calls require an access token, so they cannot be used to guess passwords or links. */
const CALLS_WITHOUT_CREDENTIALS =
  /^POST \/api\/auth\/(?:logout|sign-out-everywhere|invite|invites\/check|invites\/[^/]+\/resend)$/;

export const isCredentialAttempt = (methodAndPath: string) =>
  methodAndPath.startsWith('POST /api/auth/') &&
  methodAndPath !== REFRESH &&
  !CALLS_WITHOUT_CREDENTIALS.test(methodAndPath);

/** Keeps users at one address, and attackers elsewhere, from affecting each other's limits. */
export function consumeCredentialAttempt(
  subject: RateLimitSubject,
  methodAndPath: string,
  { body, rateLimiters }: { body: Buffer; rateLimiters: RateLimiters },
): number {
  if (methodAndPath === REFRESH) {
    const { refreshToken } = parseStringFields(body);
    return refreshToken === undefined ? 0 : rateLimiters.refresh.consume(digest(refreshToken));
  }
  if (!isCredentialAttempt(methodAndPath)) return 0;
  const { email, token, device = '' } = parseStringFields(body);
  // Counts per device, so that others at the address cannot block the owner. The auth service limits invented device
  // tokens.
  if (email !== undefined)
    return rateLimiters.signIn.consume(digest(`${toAccountKey(email)} ${subject.subnet} ${device}`));
  if (token !== undefined) return rateLimiters.signIn.consume(digest(token));
  return rateLimiters.signIn.consume(subject.key);
}

/** Normalizes like the auth service, so that all spellings of an address share one limit. */
const toAccountKey = (email: string) =>
  parseEmailAddress(email.slice(0, MAX_PASTED_EMAIL_LENGTH)) ?? email.trim().toLowerCase();

const digest = (text: string) => hash('sha256', text, 'base64url');

function parseStringFields(body: Buffer): Record<string, string | undefined> {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

type TokenOwner = { userId: string; isExpired: boolean };
type TokenClaims = { userId: string; expiresAt: number };
export type FindTokenOwner = (
  authorization: string | undefined,
) => TokenOwner | undefined | Promise<TokenOwner | undefined>;

const CACHE_SIZE = 50_000;
const KEY_SET_RETRY_DELAY_MS = 5_000;
/** How long an expired token still identifies its user; sessions expire after the same idle time. */
const MAX_EXPIRED_AGE = '30 days';

/** Serves rate limiting only: it accepts expired tokens, but no forged ones, which could use up a user's limit. */
export function createTokenOwnerFinder(keys: JWTVerifyGetKey): FindTokenOwner {
  const tokenClaims = new LRUCache<string, TokenClaims>({ max: CACHE_SIZE });
  let keysUnavailableUntil = 0;

  const verify = async (token: string, key: string): Promise<TokenOwner | undefined> => {
    if (performance.now() < keysUnavailableUntil) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...ACCESS_TOKEN,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: MAX_EXPIRED_AGE,
      });
      const claims = { userId: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1000 };
      tokenClaims.set(key, claims);
      return toTokenOwner(claims);
    } catch (error) {
      // Requests count against the IP address until the keys are available, and do not wait.
      if (isKeySetUnavailable(error)) keysUnavailableUntil = performance.now() + KEY_SET_RETRY_DELAY_MS;
      return undefined;
    }
  };

  return (authorization) => {
    if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
    const token = authorization.slice(7);
    const key = hash('sha256', token, 'base64url');
    const claims = tokenClaims.get(key);
    if (claims) return toTokenOwner(claims);
    return verify(token, key);
  };
}

const toTokenOwner = ({ userId, expiresAt }: TokenClaims): TokenOwner => ({
  userId,
  isExpired: expiresAt <= Date.now(),
});
