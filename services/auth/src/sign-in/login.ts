import type { loginBody } from '@atrium/proto-events/http/auth';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { z } from 'zod';
import { ACCOUNT_COLUMNS, type Account, presentSessionUser } from '../accounts/account-repository.ts';
import { isAccountActive, isDirectoryFresh } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { hashToken } from '../secrets/crypto.ts';
import { endUnusedSessions } from '../sessions/end-sessions.ts';
import { issueSession, logSignIn, openSession } from '../sessions/open-session.ts';
import type { SessionClient } from '../sessions/session-client.ts';
import {
  assertNoWait,
  attemptsFromAddress,
  attemptsFromDevice,
  type LoginAttempts,
  recordFailedAttempt,
  resetAttempts,
  toLimitValues,
  waitsSql,
} from './login-failures.ts';

type Attempt = { body: z.output<typeof loginBody>; client: SessionClient };

/** All failures respond identically and take the same time, with or without an account. */
export async function login(deps: Deps, { body, client }: Attempt) {
  const { account, attempts, isKnown } = await findSignIn(deps.db, {
    email: body.email,
    device: body.device,
    address: client.address,
  });
  const isMatch = await deps.passwords.matches(body.password, account?.password_hash, {
    address: client.address,
    isKnown,
  });
  if (!account || !isMatch || !(await canSignIn(deps, account))) {
    await deps.securityLog.recordDenial({
      action: 'sign-in.failed',
      outcome: 'failed',
      userId: account?.id ?? null,
      email: body.email,
      address: client.address,
    });
    await recordFailedAttempt(deps.db, attempts);
    throw invalidCredentials();
  }
  // Concurrent attempts must not exceed the limit of sequential ones.
  const startedAt = await resetAttempts(deps.db, attempts);
  const session = await issueSession(deps, { account, client, device: body.device, startedAt });
  // If the password changed since the check, no session may open with the old one.
  const openedSession = await openSession(deps, deps.db, session, { passwordHash: account.password_hash });
  if (!openedSession) throw invalidCredentials();
  crashPoint('after-commit-before-response');
  deps.db.notifyCommitted();
  logSignIn(deps, session);
  if (openedSession.exceedsLimit) await endUnusedSessions(deps, session);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

const invalidCredentials = () => new AppError('invalid_credentials', 'Invalid credentials');

async function canSignIn(deps: Deps, account: Account): Promise<boolean> {
  if (account.state !== 'active') return false;
  if (!isDirectoryFresh(deps)) throw unavailable(SIGN_IN_UNAVAILABLE);
  return isAccountActive(deps, account, SIGN_IN_UNAVAILABLE);
}

const SIGN_IN_UNAVAILABLE = 'Sign-in is not possible right now. Please try again in a moment.';

type FindSignInParams = { email: string; device?: string | undefined; address: string | null };
type SignInRow = Omit<Account, 'id'> & { id: string | null; is_known_device: boolean; waits: (number | null)[] };

/**
 * Throws `rate_limited` after too many failures. Runs the same single statement for unknown emails, so that timing
 * reveals nothing.
 */
async function findSignIn(
  db: Queryable,
  { email, device, address }: FindSignInParams,
): Promise<{ account: Account | undefined; attempts: LoginAttempts; isKnown: boolean }> {
  const byAddress = attemptsFromAddress(email, address);
  const byDevice = attemptsFromDevice(email, device ?? '');
  const { rows } = await db.query<SignInRow>({
    name: 'find-sign-in',
    text: `select ${ACCOUNT_COLUMNS}, exists (
             select from known_devices d where d.user_id = a.id and d.token_hash = $2
           ) as is_known_device, ${waitsSql({ keys: '$3', max: '$4', minutes: '$5' })} as waits
           from (select) as always left join accounts a on lower(a.email) = lower($1)`,
    values: [email, device === undefined ? null : hashToken(device), ...toLimitValues([...byDevice, ...byAddress])],
  });
  const [row] = rows;
  if (!row) throw new Error('Sign-in query returned no row');
  const { is_known_device: isKnown, waits: seconds, id, ...account } = row;
  assertNoWait(isKnown ? seconds.slice(0, byDevice.length) : seconds.slice(byDevice.length));
  return { account: id === null ? undefined : { id, ...account }, attempts: isKnown ? byDevice : byAddress, isKnown };
}

type UsedLinkSignIn = {
  email: string;
  body: { password: string; device?: string | undefined };
  client: SessionClient;
  linkError: AppError;
};

/**
 * Signs in with the password that the link set: the client probably lost the first response. The limits of sign-in
 * apply.
 */
export async function signInWithUsedLink(
  deps: Deps,
  { email, body: { password, device }, client, linkError }: UsedLinkSignIn,
) {
  try {
    return await login(deps, { body: { email, password, device }, client });
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_credentials' ? linkError : error;
  }
}
