import { accountRegistered } from '@atrium/proto-events/events/auth';
import type { registerBody } from '@atrium/proto-events/http/auth';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { isUniqueViolation, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { isSameSecret } from '../hash-token.ts';
import { assertUncommonPassword } from '../passwords/common-passwords.ts';
import { issueSession, logSignIn, openSession } from '../sessions/open-session.ts';
import type { Origin } from '../sessions/origin.ts';
import { type Account, EMAIL_TAKEN, hasAccounts, insertAccount, lockRegistration } from './account-repository.ts';
import { awaitActive } from './await-active.ts';
import { presentSessionUser } from './present-session-user.ts';

type Body = z.output<typeof registerBody>;

/** Creates the first administrator; after that a member if registration is open. */
export async function register(deps: Deps, body: Body, origin: Origin) {
  const { db, config } = deps;
  assertRegistrationAllowed(config, body, { first: !(await hasAccounts(db)) });
  await assertUncommonPassword(body.password, 'password');
  const password_hash = await deps.passwords.hash(body.password, { address: origin.address, isKnown: false });
  // Loaded before the transaction: loading a key inside could exhaust the pool while others wait for the lock.
  await deps.keys.signer();
  const { account, session } = await db.transaction(async (tx) => {
    await lockRegistration(tx);
    const first = !(await hasAccounts(tx));
    assertRegistrationAllowed(config, body, { first });
    const created = newAccount(body, { password_hash, role: first ? 'admin' : 'member' });
    await insertNewAccount(tx, created);
    await appendEvent(tx, {
      event: accountRegistered,
      data: toEventData(created),
      aggregate: created.id,
      actorId: created.id,
    });
    const session = await issueSession(deps, { account: created, origin, device: body.device });
    await openSession(deps, tx, session);
    return { account: created, session };
  });
  logSignIn(deps, session);
  await awaitActive(deps.directory, account.id);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

function newAccount(body: Body, given: Pick<Account, 'password_hash' | 'role'>): Account {
  return {
    id: newId(),
    email: body.email,
    state: 'active',
    first_name: body.firstName,
    last_name: body.lastName,
    department_id: null,
    activated_at: new Date(),
    ...given,
  };
}

/** Throws `conflict` if the email is taken. */
export async function insertNewAccount(tx: Queryable, account: Account): Promise<void> {
  try {
    await insertAccount(tx, account);
  } catch (cause) {
    if (!isUniqueViolation(cause, EMAIL_TAKEN)) throw cause;
    throw new AppError('conflict', 'A user with this email already exists', { cause });
  }
}

function toEventData({ id, email, first_name, last_name, role }: Account) {
  return { userId: id, email, firstName: first_name, lastName: last_name, role };
}

/** The first registration requires the setup token of the operator, so that no stranger can claim the workspace. */
function assertRegistrationAllowed(
  { REGISTRATION, SETUP_TOKEN }: Config,
  { setupToken }: Body,
  { first }: { first: boolean },
) {
  if (!first && REGISTRATION !== 'open') throw new AppError('forbidden', 'Registration is by invitation only');
  if (first && SETUP_TOKEN !== undefined && !isSameSecret(setupToken ?? '', SETUP_TOKEN)) {
    throw new AppError('forbidden', 'Setting up the workspace requires the link with the setup token');
  }
}
