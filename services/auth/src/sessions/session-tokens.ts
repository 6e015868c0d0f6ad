import type { Role } from '@atrium/proto-events/people';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/service-kit/http/authenticate';
import { SignJWT } from 'jose';
import type { KeyRing } from '../keys/key-ring.ts';
import { hashToken } from '../secrets/crypto.ts';
import { newTokenSeed, type RefreshTokens } from '../secrets/refresh-tokens.ts';
import type { LockedSession, TokenState } from './session-repository.ts';

const ACCESS_TOKEN_LIFETIME_SECONDS = 15 * 60;

/**
 * Signs a 15-minute JWT. `at` is database time, because the clock of a pod may be behind. `iat` has milliseconds,
 * because it is compared with the time at which sessions ended.
 */
export async function signAccessToken(
  keys: KeyRing,
  { userId, role, sessionId, at }: { userId: string; role: Role; sessionId: string; at: Date },
): Promise<string> {
  const { kid, key } = await keys.signer();
  const now = at.getTime() / 1000;
  return new SignJWT({ role, sid: sessionId, iat: now })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: TOKEN_TYPE })
    .setSubject(userId)
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setExpirationTime(Math.floor(now) + ACCESS_TOKEN_LIFETIME_SECONDS)
    .sign(key);
}

type NextToken = { token: string; state?: TokenState };
type PresentedToken = { token: string; session: LockedSession };

/**
 * The current token yields its successor, and the previous token yields the current one again, since the client may
 * have missed it. An older token is `reused`: it was copied. Returns undefined for a token of another session.
 */
export function getNextToken(
  tokens: RefreshTokens,
  { token, session }: PresentedToken,
): NextToken | 'reused' | undefined {
  const { id, token_seed, token_number: current } = session;
  const hash = hashToken(token);
  // Comparing hashes as well keeps users signed in when the secret changes.
  const number = session.token_hash.equals(hash) ? current : tokens.getNumber(token, { id, token_seed });
  if (number === undefined || number > current) return undefined;
  if (number === current) return toNextState(tokens, id, token_seed, current + 1);
  if (number < current - 1) return 'reused';
  return { token: tokens.recreate({ id, token_seed }, current, session.token_hash) };
}

/** Starts a new family, which invalidates all earlier tokens of the session. */
export const createFirstToken = (tokens: RefreshTokens, sessionId: string) =>
  toNextState(tokens, sessionId, newTokenSeed(), 0);

function toNextState(tokens: RefreshTokens, id: string, token_seed: Buffer, token_number: number) {
  const token = tokens.create({ id, token_seed }, token_number);
  return { token, state: { token_seed, token_number, token_hash: hashToken(token) } };
}
