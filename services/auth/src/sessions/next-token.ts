import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hashToken } from '../hash-token.ts';
import { newTokenSeed, type RefreshTokens, sessionOfToken } from './refresh-tokens.ts';
import type { HeldSession, TokenState } from './session-repository.ts';
import { findTokenRow, markRotated } from './token-rows-of-before.ts';

/** The answer to a token; `state` where it was the current one and its successor becomes that, in place of the row of `replaces`. */
type Next = { token: string; state?: TokenState; replaces?: Buffer };
type Brought = { token: string; session: HeldSession };

/**
 * What follows a token that somebody brings for a session, which is held: the current one gives its successor, the one before gives
 * it again, and any earlier one is `spent`, for two people have the session's tokens. Undefined for what is no token of it.
 */
export async function nextToken(tokens: RefreshTokens, tx: Queryable, brought: Brought) {
  const before = await followRow(tokens, tx, brought);
  return before === 'by number' ? followNumber(tokens, brought) : before;
}

function followNumber(tokens: RefreshTokens, { token, session }: Brought): Next | 'spent' | undefined {
  const { id, token_seed, token_number: current } = session;
  if (!token_seed) return undefined;
  const hash = hashToken(token);
  // By its hash also after the secret has changed, from which tokens are made: that signs nobody out.
  const number = session.token_hash?.equals(hash) ? current : tokens.numberOf(token, { id, token_seed });
  if (number === undefined || number > current) return undefined;
  if (number === current) return { ...stateOf(tokens, id, token_seed, current + 1), replaces: hash };
  if (number < current - 1) return 'spent';
  return { token: tokens.makeAgain({ id, token_seed }, current, session.token_hash) };
}

/** Goes with the release before: its tokens are random, and one of ours may have been followed by one of those. */
async function followRow(
  tokens: RefreshTokens,
  tx: Queryable,
  { token, session }: Brought,
): Promise<Next | 'spent' | undefined | 'by number'> {
  const hash = hashToken(token);
  const successors = tokens.successorsOf(token);
  const row = await findTokenRow(tx, hash, successors.map(hashToken));
  const isNumbered = sessionOfToken(token) !== undefined;
  if (!row?.rotated && isNumbered) return 'by number';
  if (!row) return undefined;
  if (!row.rotated) {
    await markRotated(tx, hash);
    return firstToken(tokens, session.id);
  }
  const given = successors.find((successor) => row.successor_hash?.equals(hashToken(successor)));
  if (row.successor === 'fresh' && given) return { token: given };
  const { id, token_seed, token_number } = session;
  const isFirstUnused = row.successor === 'none' && !isNumbered && token_seed && token_number === 0;
  return isFirstUnused ? { token: tokens.make({ id, token_seed }, 0) } : 'spent';
}

/** The first token of a line; none that the session had before is known from then on. */
export const firstToken = (tokens: RefreshTokens, sessionId: string) => stateOf(tokens, sessionId, newTokenSeed(), 0);

function stateOf(tokens: RefreshTokens, id: string, token_seed: Buffer, token_number: number) {
  const token = tokens.make({ id, token_seed }, token_number);
  return { token, state: { token_seed, token_number, token_hash: hashToken(token) } };
}
