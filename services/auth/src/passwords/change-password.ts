import { passwordChanged } from '@atrium/proto-events/events/auth';
import type { changePasswordBody } from '@atrium/proto-events/http/passwords';
import { AppError, invalidField, unavailable } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { type Account, findAccount, lockAccount, setPassword } from '../accounts/account-repository.ts';
import { isDirectoryFresh } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { assertUncommonPassword } from '../secrets/common-passwords.ts';
import { appendSessionsRevoked, endSessionsForSecurity } from '../sessions/end-sessions.ts';
import type { SessionClient } from '../sessions/session-client.ts';
import {
  getLifetime,
  lockSession,
  renameSession,
  renewSession,
  type TokenState,
} from '../sessions/session-repository.ts';
import { createFirstToken, signAccessToken } from '../sessions/session-tokens.ts';
import {
  assertAttemptsLeft,
  attemptsInSession,
  recordFailedAttempt,
  resetAttempts,
} from '../sign-in/login-failures.ts';
import { invalidateResets } from './reset-repository.ts';

type ChangePasswordParams = { body: z.output<typeof changePasswordBody>; client: SessionClient };

/**
 * Changes the password and ends all other sessions. The current one continues under a new id, which revokes its earlier
 * access tokens. Wrong passwords are limited per session.
 */
export async function changePassword(deps: Deps, caller: Caller, { body, client }: ChangePasswordParams) {
  const { userId, role, sessionId } = caller;
  // The response contains an access token, which a user deactivated in the meantime must not get.
  if (!isDirectoryFresh(deps))
    throw unavailable('Passwords cannot be changed right now. Please try again in a moment.');
  const account = await findAccount(deps.db, userId);
  if (!account) throw unauthorized();
  await assertCurrentPassword(deps, account, { password: body.currentPassword, sessionId, client });
  await assertUncommonPassword(body.newPassword, 'newPassword');
  const passwordHash = await deps.passwords.hash(body.newPassword, { address: client.address, isKnown: true });
  const nextId = newId();
  const issuedAt = await databaseTime(deps.db);
  const accessToken = await signAccessToken(deps.keys, { userId, role, sessionId: nextId, at: issuedAt });
  const { token: refreshToken, state: token } = createFirstToken(deps.refreshTokens, nextId);
  const endedSessionIds = await deps.db.transaction(async (tx) => {
    const lockedAccount = await lockAccount(tx, userId);
    // A concurrent request may have changed the password after it was checked.
    if (lockedAccount?.password_hash !== account.password_hash) throw wrongPassword();
    const otherSessionIds = await replacePassword(tx, caller, { passwordHash, client });
    await renewUnderNextId(deps, tx, { caller, nextId, client, token });
    return [...otherSessionIds, sessionId];
  });
  for (const id of endedSessionIds) deps.revocations.add(id);
  return { accessToken, refreshToken };
}

type Renewal = { caller: Caller; nextId: string; client: SessionClient; token: TokenState };

async function renewUnderNextId(
  deps: Deps,
  tx: Queryable,
  { caller: { userId, sessionId }, nextId, client, token }: Renewal,
): Promise<void> {
  const lifetime = getLifetime(deps.config);
  if (!(await lockSession(tx, sessionId, userId))) throw unauthorized();
  const reason = 'password-changed';
  await renameSession(tx, { from: sessionId, to: nextId, reason });
  await renewSession(tx, nextId, { client, lifetime, token });
  await appendSessionsRevoked(tx, [sessionId], { userId, reason, actorId: userId });
}

async function replacePassword(
  tx: Queryable,
  { userId, sessionId }: Caller,
  { passwordHash, client }: { passwordHash: string; client: SessionClient },
): Promise<string[]> {
  await setPassword(tx, userId, passwordHash);
  await invalidateResets(tx, userId);
  await appendEvent(tx, {
    event: passwordChanged,
    data: { userId, by: 'change', ...client },
    aggregate: userId,
    actorId: userId,
  });
  return endSessionsForSecurity(tx, { userId, reason: 'password-changed', actorId: userId, except: sessionId });
}

async function assertCurrentPassword(
  { db, passwords, securityLog }: Deps,
  account: Account,
  { password, sessionId, client: { address } }: { password: string; sessionId: string; client: SessionClient },
) {
  const attempts = attemptsInSession(sessionId);
  await assertAttemptsLeft(db, attempts);
  if (await passwords.matches(password, account.password_hash, { address, isKnown: true }))
    return resetAttempts(db, attempts);
  await securityLog.record({
    action: 'password.wrong',
    outcome: 'failed',
    userId: account.id,
    address,
    sessionId,
  });
  await recordFailedAttempt(db, attempts);
  throw wrongPassword();
}

const wrongPassword = () => invalidField('currentPassword', 'Current password is incorrect');

const unauthorized = () => new AppError('unauthorized', 'Unauthorized');
