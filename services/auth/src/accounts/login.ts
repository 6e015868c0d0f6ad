import type { loginBody } from '@atrium/proto-events/http/auth';
import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { isUpToDate } from '../directory-freshness.ts';
import { endUnusedSessions } from '../sessions/end-sessions.ts';
import { issueSession, noteSignIn, openSession } from '../sessions/open-session.ts';
import type { Origin } from '../sessions/origin.ts';
import type { Account } from './account-repository.ts';
import { findSignIn } from './find-sign-in.ts';
import { isAccountActive } from './is-account-active.ts';
import { recordFailedAttempt, resetAttempts } from './login-failures.ts';
import { presentSessionUser } from './present-session-user.ts';

type Attempt = { body: z.output<typeof loginBody>; origin: Origin };

/** Signs in. Every failure looks alike and takes the same time, whether or not there is such a person (decisions, section 2). */
export async function login(deps: Deps, { body, origin }: Attempt) {
  const { account, guesses, isKnown } = await findSignIn(deps.db, {
    email: body.email,
    device: body.device,
    address: origin.address,
  });
  const right = await deps.passwords.matches(body.password, account?.password_hash, {
    address: origin.address,
    isKnown,
  });
  if (!account || !right || !(await mayEnter(deps, account))) {
    const { address } = origin;
    const { email } = body;
    await deps.securityLog.refuse({
      action: 'sign-in.failed',
      outcome: 'failed',
      userId: account?.id ?? null,
      email,
      address,
    });
    await recordFailedAttempt(deps.db, guesses);
    throw invalidCredentials();
  }
  // Guesses tried all at once must not get further than the same guesses one by one.
  const startedAt = await resetAttempts(deps.db, guesses);
  const session = await issueSession(deps, { account, origin, device: body.device, startedAt });
  // A password that was changed while this one was checked ended all sessions: no other may begin with the old one.
  const opened = await openSession(deps, deps.db, session, { passwordHash: account.password_hash });
  if (!opened) throw invalidCredentials();
  crashPoint('after-commit-before-answer');
  deps.db.committed();
  noteSignIn(deps, session);
  if (opened.isOneTooMany) await endUnusedSessions(deps, session);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

const invalidCredentials = () => new AppError('invalid_credentials', 'Invalid credentials');

async function mayEnter(deps: Deps, account: Account): Promise<boolean> {
  if (account.state !== 'active') return false;
  if (!isUpToDate(deps)) throw unavailable(IMPOSSIBLE);
  return isAccountActive(deps, account, IMPOSSIBLE);
}

const IMPOSSIBLE = 'Sign-in is not possible right now. Please try again in a moment.';
