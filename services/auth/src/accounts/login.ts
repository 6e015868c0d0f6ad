import type { loginBody } from '@atrium/proto-events/http/auth';
import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { isUpToDate } from '../is-up-to-date.ts';
import { isKnownDevice } from '../sessions/known-device-repository.ts';
import { issueSession, noteSignIn, openSession } from '../sessions/open-session.ts';
import type { Origin } from '../sessions/origin.ts';
import { type Account, findAccountByEmail, keepPassword } from './account-repository.ts';
import {
  countFailure,
  type Guesses,
  guessesFrom,
  guessesOnDevice,
  refuseAfterTooMany,
  restartCount,
} from './login-failures.ts';
import { presentSessionUser } from './present-session-user.ts';
import { standsActive } from './stands-active.ts';

type Attempt = { body: z.output<typeof loginBody>; origin: Origin };

/** Signs in. Every failure looks alike and takes the same time, whether or not there is such a person (decisions, section 2). */
export async function login(deps: Deps, { body, origin }: Attempt) {
  const guesses = await guessesOf(deps.db, body, origin);
  await refuseAfterTooMany(deps.db, guesses);
  const account = await findAccountByEmail(deps.db, body.email);
  const right = await deps.passwords.matches(body.password, account?.password_hash);
  if (!account || !right || !(await mayEnter(deps, account))) {
    const { address } = origin;
    const { email } = body;
    deps.securityLog.refuse({
      action: 'sign-in.failed',
      outcome: 'failed',
      userId: account?.id ?? null,
      email,
      address,
    });
    await countFailure(deps.db, guesses);
    throw invalidCredentials();
  }
  // Guesses tried all at once must not get further than the same guesses one by one.
  await restartCount(deps.db, guesses);
  const session = await issueSession(deps, { account, origin, device: body.device });
  await deps.db.transaction(async (tx) => {
    // A password that was changed while this one was checked ended all sessions: no other may begin with the old one.
    if (!(await keepPassword(tx, account))) throw invalidCredentials();
    await openSession(tx, session);
  });
  noteSignIn(deps, session, account.email);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

async function guessesOf(db: Queryable, { email, device }: Attempt['body'], { address }: Origin): Promise<Guesses> {
  const isKnown = device !== undefined && (await isKnownDevice(db, email, device));
  return isKnown ? guessesOnDevice(email, device) : guessesFrom(email, address);
}

const invalidCredentials = () => new AppError('invalid_credentials', 'Invalid credentials');

async function mayEnter(deps: Deps, account: Account): Promise<boolean> {
  if (account.state !== 'active') return false;
  if (!isUpToDate(deps)) throw unavailable(IMPOSSIBLE);
  return standsActive(deps, account, IMPOSSIBLE);
}

const IMPOSSIBLE = 'Sign-in is not possible right now. Please try again in a moment.';
