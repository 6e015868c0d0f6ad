import { hashToken } from '../hash-token.ts';
import { newTokenSeed, type RefreshTokens } from './refresh-tokens.ts';
import type { LockedSession, TokenState } from './session-repository.ts';

type Next = { token: string; state?: TokenState };
type PresentedToken = { token: string; session: LockedSession };

/**
 * The current token yields its successor, and the previous token yields the current one again, since the client may have missed it. An
 * older token is `reused`: it was copied. Undefined for a token of another session.
 */
export function nextToken(tokens: RefreshTokens, { token, session }: PresentedToken): Next | 'reused' | undefined {
  const { id, token_seed, token_number: current } = session;
  const hash = hashToken(token);
  // Compared by hash too, so that a changed secret signs nobody out.
  const number = session.token_hash.equals(hash) ? current : tokens.numberOf(token, { id, token_seed });
  if (number === undefined || number > current) return undefined;
  if (number === current) return toNextState(tokens, id, token_seed, current + 1);
  if (number < current - 1) return 'reused';
  return { token: tokens.recreate({ id, token_seed }, current, session.token_hash) };
}

/** Invalidates all earlier tokens of the session. */
export const firstToken = (tokens: RefreshTokens, sessionId: string) =>
  toNextState(tokens, sessionId, newTokenSeed(), 0);

function toNextState(tokens: RefreshTokens, id: string, token_seed: Buffer, token_number: number) {
  const token = tokens.make({ id, token_seed }, token_number);
  return { token, state: { token_seed, token_number, token_hash: hashToken(token) } };
}
