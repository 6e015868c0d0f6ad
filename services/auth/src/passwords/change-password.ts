import { passwordChanged, sessionRevoked } from '@atrium/proto-events/events/auth';
import type { changePasswordBody } from '@atrium/proto-events/http/passwords';
import { AppError, invalidField, unavailable } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { type Account, findAccount, lockAccount, setPassword } from '../accounts/account-repository.ts';
import {
  assertAttemptsLeft,
  attemptsInSession,
  recordFailedAttempt,
  resetAttempts,
} from '../accounts/login-failures.ts';
import type { Deps } from '../deps.ts';
import { isDirectoryFresh } from '../directory-freshness.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import type { Origin } from '../sessions/origin.ts';
import { recordAccountSecured } from '../sessions/record-account-secured.ts';
import { firstToken } from '../sessions/rotate-refresh-token.ts';
import {
  lifetimeOf,
  lockSession,
  renameSession,
  renewSession,
  type TokenState,
} from '../sessions/session-repository.ts';
import { signAccessToken } from '../sessions/sign-access-token.ts';
import { assertUncommonPassword } from './common-passwords.ts';
import { endResets } from './reset-repository.ts';

type ChangePasswordParams = { body: z.output<typeof changePasswordBody>; origin: Origin };

/**
 * Ends all other sessions. The current one continues under a new id, which revokes its earlier access tokens. Wrong passwords are limited
 * per session.
 */
export async function changePassword(deps: Deps, caller: Caller, { body, origin }: ChangePasswordParams) {
  const { userId, role, sessionId } = caller;
  // The response contains an access token, which a user deactivated meanwhile must not get.
  if (!isDirectoryFresh(deps))
    throw unavailable('Passwords cannot be changed right now. Please try again in a moment.');
  const account = await findAccount(deps.db, userId);
  if (!account) throw unauthorized();
  await checkCurrent(deps, account, { password: body.currentPassword, sessionId, origin });
  await assertUncommonPassword(body.newPassword, 'newPassword');
  const passwordHash = await deps.passwords.hash(body.newPassword, { address: origin.address, isKnown: true });
  const nextId = newId();
  const at = await databaseTime(deps.db);
  const accessToken = await signAccessToken(deps.keys, { userId, role, sessionId: nextId, at });
  const { token: refreshToken, state: token } = firstToken(deps.refreshTokens, nextId);
  const ended = await deps.db.transaction(async (tx) => {
    const before = await lockAccount(tx, userId);
    // A concurrent request changed the password after it was checked.
    if (before?.password_hash !== account.password_hash) throw wrongPassword();
    const others = await replacePassword(tx, caller, { passwordHash, origin });
    await renewUnderNextId(deps, tx, { caller, nextId, origin, token });
    return [...others, sessionId];
  });
  for (const id of ended) deps.revocations.add(id);
  return { accessToken, refreshToken };
}

type Renewal = { caller: Caller; nextId: string; origin: Origin; token: TokenState };

async function renewUnderNextId(
  deps: Deps,
  tx: Queryable,
  { caller: { userId, sessionId }, nextId, origin, token }: Renewal,
): Promise<void> {
  const lifetime = lifetimeOf(deps.config);
  if (!(await lockSession(tx, sessionId, userId))) throw unauthorized();
  const reason = 'password-changed';
  await renameSession(tx, { from: sessionId, to: nextId, reason });
  await renewSession(tx, nextId, { origin, lifetime, token });
  await appendEvent(tx, {
    event: sessionRevoked,
    data: { userId, sessionId, reason },
    aggregate: userId,
    actorId: userId,
  });
}

/** Returns the ids of the ended sessions. */
async function replacePassword(
  tx: Queryable,
  { userId, sessionId }: Caller,
  { passwordHash, origin }: { passwordHash: string; origin: Origin },
): Promise<string[]> {
  await setPassword(tx, userId, passwordHash);
  await endResets(tx, userId);
  await appendEvent(tx, {
    event: passwordChanged,
    data: { userId, by: 'change', ...origin },
    aggregate: userId,
    actorId: userId,
  });
  await recordAccountSecured(tx, { userId, reason: 'password-changed', actorId: userId });
  return endSessions(tx, { userId, reason: 'password-changed', actorId: userId, except: sessionId });
}

async function checkCurrent(
  { db, passwords, securityLog }: Deps,
  account: Account,
  given: { password: string; sessionId: string; origin: Origin },
) {
  const attempts = attemptsInSession(given.sessionId);
  const from = { address: given.origin.address, isKnown: true };
  await assertAttemptsLeft(db, attempts);
  if (await passwords.matches(given.password, account.password_hash, from)) return resetAttempts(db, attempts);
  const { sessionId, origin } = given;
  const who = { userId: account.id, address: origin.address, sessionId };
  await securityLog.record({ action: 'password.wrong', outcome: 'failed', ...who });
  await recordFailedAttempt(db, attempts);
  throw wrongPassword();
}

const wrongPassword = () => invalidField('currentPassword', 'Current password is incorrect');

const unauthorized = () => new AppError('unauthorized', 'Unauthorized');
