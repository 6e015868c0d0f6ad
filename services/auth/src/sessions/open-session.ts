import { sessionStarted } from '@atrium/proto-events/events/auth';
import { newId } from '@atrium/service-kit/new-id';
import { appendEvent } from '@atrium/service-kit/outbox';
import type { Queryable } from '@atrium/service-kit/postgres';
import type { Account } from '../accounts/account-repository.ts';
import type { Deps } from '../app.ts';
import type { Origin } from './origin.ts';
import { hashToken } from './refresh-tokens.ts';
import { insertSession } from './session-repository.ts';
import { signAccessToken } from './sign-access-token.ts';

type Session = {
  id: string;
  userId: string;
  startedAt: Date;
  origin: Origin;
  tokens: { accessToken: string; refreshToken: string };
};

/** Makes the tokens of a new session; nothing is stored yet. */
export async function issueSession(
  { keys, refreshTokens, directory }: Deps,
  account: Pick<Account, 'id' | 'role'>,
  origin: Origin,
): Promise<Session> {
  const id = newId();
  const startedAt = new Date();
  const role = directory.user(account.id)?.role ?? account.role;
  const accessToken = await signAccessToken(keys, { userId: account.id, role, sessionId: id });
  return { id, userId: account.id, startedAt, origin, tokens: { accessToken, refreshToken: refreshTokens.create() } };
}

/** Stores a session, from when on its tokens are good, and tells it. */
export async function openSession(tx: Queryable, { id, userId, startedAt, origin, tokens }: Session): Promise<void> {
  await insertSession(tx, { id, user_id: userId, created_at: startedAt, ...origin }, hashToken(tokens.refreshToken));
  await appendEvent(tx, {
    event: sessionStarted,
    data: { userId, sessionId: id, at: startedAt.toISOString() },
    aggregate: userId,
    actorId: userId,
  });
}
