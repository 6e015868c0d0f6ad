import { accountRegistered } from '@atrium/proto-events/events/auth';
import type { registerBody } from '@atrium/proto-events/http/auth';
import { AppError } from '@atrium/service-kit/http/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { isUniqueViolation, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { isSameSecret } from '../hash-token.ts';
import { refuseCommonPassword } from '../passwords/common-passwords.ts';
import { issueSession, noteSignIn, openSession } from '../sessions/open-session.ts';
import type { Origin } from '../sessions/origin.ts';
import { type Account, EMAIL_TAKEN, hasAccounts, insertAccount, lockRegistration } from './account-repository.ts';
import { awaitActive } from './await-active.ts';
import { presentSessionUser } from './present-session-user.ts';

type Body = z.output<typeof registerBody>;

/** Makes the first administrator; after that a member, where registration is open (decisions, section 2). */
export async function register(deps: Deps, body: Body, origin: Origin) {
  const { db, config } = deps;
  refuseUninvited(config, body, { first: !(await hasAccounts(db)) });
  await refuseCommonPassword(body.password, 'password');
  const password_hash = await deps.passwords.hash(body.password, { address: origin.address, isKnown: false });
  // Loaded by now: inside, it would wait for a connection while those who wait for the lock may hold them all.
  await deps.keys.signer();
  const { account, session } = await db.transaction(async (tx) => {
    await lockRegistration(tx);
    const first = !(await hasAccounts(tx));
    refuseUninvited(config, body, { first });
    const made = newAccount(body, { password_hash, role: first ? 'admin' : 'member' });
    await insertNewAccount(tx, made);
    await appendEvent(tx, { event: accountRegistered, data: facts(made), aggregate: made.id, actorId: made.id });
    const session = await issueSession(deps, { account: made, origin, device: body.device });
    await openSession(deps, tx, session);
    return { account: made, session };
  });
  noteSignIn(deps, session);
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

/** Throws `conflict` when the address belongs to somebody. */
export async function insertNewAccount(tx: Queryable, account: Account): Promise<void> {
  try {
    await insertAccount(tx, account);
  } catch (cause) {
    if (!isUniqueViolation(cause, EMAIL_TAKEN)) throw cause;
    throw new AppError('conflict', 'A user with this email already exists', { cause });
  }
}

/** A new account as events tell it. */
function facts({ id, email, first_name, last_name, role }: Account) {
  return { userId: id, email, firstName: first_name, lastName: last_name, role };
}

/** The first needs what the operator set, so that no stranger comes before them; the others an open registration. */
function refuseUninvited({ REGISTRATION, SETUP_TOKEN }: Config, { setupToken }: Body, { first }: { first: boolean }) {
  if (!first && REGISTRATION !== 'open') throw new AppError('forbidden', 'Registration is by invitation only');
  if (first && SETUP_TOKEN !== undefined && !isSameSecret(setupToken ?? '', SETUP_TOKEN)) {
    throw new AppError('forbidden', 'Setting up needs the link with the set-up token');
  }
}
