import type { loginBody } from '@atrium/proto-events/http/auth';
import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { isDirectoryFresh } from '../directory-freshness.ts';
import { endUnusedSessions } from '../sessions/end-sessions.ts';
import { issueSession, logSignIn, openSession } from '../sessions/open-session.ts';
import type { Origin } from '../sessions/origin.ts';
import type { Account } from './account-repository.ts';
import { findSignIn } from './find-sign-in.ts';
import { isAccountActive } from './is-account-active.ts';
import { recordFailedAttempt, resetAttempts } from './login-failures.ts';
import { presentSessionUser } from './present-session-user.ts';

type Attempt = { body: z.output<typeof loginBody>; origin: Origin };

/** All failures respond identically and take the same time, with or without an account (decisions, section 2). */
export async function login(deps: Deps, { body, origin }: Attempt) {
  const { account, attempts, isKnown } = await findSignIn(deps.db, {
    email: body.email,
    device: body.device,
    address: origin.address,
  });
  const isMatch = await deps.passwords.matches(body.password, account?.password_hash, {
    address: origin.address,
    isKnown,
  });
  if (!account || !isMatch || !(await canSignIn(deps, account))) {
    const { address } = origin;
    const { email } = body;
    await deps.securityLog.recordDenial({
      action: 'sign-in.failed',
      outcome: 'failed',
      userId: account?.id ?? null,
      email,
      address,
    });
    await recordFailedAttempt(deps.db, attempts);
    throw invalidCredentials();
  }
  // Concurrent attempts must not exceed the limit of sequential ones.
  const startedAt = await resetAttempts(deps.db, attempts);
  const session = await issueSession(deps, { account, origin, device: body.device, startedAt });
  // If the password changed since the check, no session may open with the old one.
  const opened = await openSession(deps, deps.db, session, { passwordHash: account.password_hash });
  if (!opened) throw invalidCredentials();
  crashPoint('after-commit-before-answer');
  deps.db.committed();
  logSignIn(deps, session);
  if (opened.exceedsLimit) await endUnusedSessions(deps, session);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

const invalidCredentials = () => new AppError('invalid_credentials', 'Invalid credentials');

async function canSignIn(deps: Deps, account: Account): Promise<boolean> {
  if (account.state !== 'active') return false;
  if (!isDirectoryFresh(deps)) throw unavailable(SIGN_IN_UNAVAILABLE);
  return isAccountActive(deps, account, SIGN_IN_UNAVAILABLE);
}

const SIGN_IN_UNAVAILABLE = 'Sign-in is not possible right now. Please try again in a moment.';
