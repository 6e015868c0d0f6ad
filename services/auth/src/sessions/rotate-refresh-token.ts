import { hashToken } from '../hash-token.ts';
import { newTokenSeed, type RefreshTokens } from './refresh-tokens.ts';
import type { HeldSession, TokenState } from './session-repository.ts';

/** The token to respond with; `state` where it becomes the current one. */
type Next = { token: string; state?: TokenState };
type Brought = { token: string; session: HeldSession };

/**
 * What follows a token that somebody brings for a session, which is held: the current one gives its successor, the one before gives
 * it again, and any earlier one is `spent`, for two people have the session's tokens. Undefined for what is no token of it.
 */
export function nextToken(tokens: RefreshTokens, { token, session }: Brought): Next | 'spent' | undefined {
  const { id, token_seed, token_number: current } = session;
  const hash = hashToken(token);
  // By its hash also after the secret has changed, from which tokens are made: that signs nobody out.
  const number = session.token_hash.equals(hash) ? current : tokens.numberOf(token, { id, token_seed });
  if (number === undefined || number > current) return undefined;
  if (number === current) return stateOf(tokens, id, token_seed, current + 1);
  if (number < current - 1) return 'spent';
  return { token: tokens.makeAgain({ id, token_seed }, current, session.token_hash) };
}

/** The first token of a line; none that the session had before is known from then on. */
export const firstToken = (tokens: RefreshTokens, sessionId: string) => stateOf(tokens, sessionId, newTokenSeed(), 0);

function stateOf(tokens: RefreshTokens, id: string, token_seed: Buffer, token_number: number) {
  const token = tokens.make({ id, token_seed }, token_number);
  return { token, state: { token_seed, token_number, token_hash: hashToken(token) } };
}
