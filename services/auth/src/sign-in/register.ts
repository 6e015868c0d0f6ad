import { accountRegistered } from '@atrium/proto-events/events/auth';
import type { registerBody } from '@atrium/proto-events/http/auth';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import {
  type Account,
  hasAccounts,
  insertAccount,
  lockRegistration,
  presentSessionUser,
} from '../accounts/account-repository.ts';
import { awaitActive } from '../accounts/account-status.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { assertUncommonPassword } from '../secrets/common-passwords.ts';
import { isSameSecret } from '../secrets/crypto.ts';
import { issueSession, logSignIn, openSession } from '../sessions/open-session.ts';
import type { SessionClient } from '../sessions/session-client.ts';

type Body = z.output<typeof registerBody>;

export async function register(deps: Deps, body: Body, client: SessionClient) {
  const { db, config } = deps;
  assertRegistrationAllowed(config, body, { isFirst: !(await hasAccounts(db)) });
  await assertUncommonPassword(body.password, 'password');
  const password_hash = await deps.passwords.hash(body.password, { address: client.address, isKnown: false });
  // Loaded before the transaction: loading a key inside could exhaust the pool while others wait for the lock.
  await deps.keys.signer();
  const { account, session } = await db.transaction(async (tx) => {
    await lockRegistration(tx);
    const isFirst = !(await hasAccounts(tx));
    assertRegistrationAllowed(config, body, { isFirst });
    const account = toAccount(body, { password_hash, role: isFirst ? 'admin' : 'member' });
    await insertAccount(tx, account);
    await appendEvent(tx, {
      event: accountRegistered,
      data: toEventData(account),
      aggregate: account.id,
      actorId: account.id,
    });
    const session = await issueSession(deps, { account, client, device: body.device });
    await openSession(deps, tx, session);
    return { account, session };
  });
  logSignIn(deps, session);
  await awaitActive(deps.directory, account.id);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

function toAccount(body: Body, credentials: Pick<Account, 'password_hash' | 'role'>): Account {
  return {
    id: newId(),
    email: body.email,
    state: 'active',
    first_name: body.firstName,
    last_name: body.lastName,
    department_id: null,
    activated_at: new Date(),
    ...credentials,
  };
}

function toEventData({ id, email, first_name, last_name, role }: Account) {
  return { userId: id, email, firstName: first_name, lastName: last_name, role };
}

/** The first registration requires the setup token of the operator, so that no stranger can claim the workspace. */
function assertRegistrationAllowed(
  { REGISTRATION, SETUP_TOKEN }: Config,
  { setupToken }: Body,
  { isFirst }: { isFirst: boolean },
) {
  if (!isFirst && REGISTRATION !== 'open') throw new AppError('forbidden', 'Registration is by invitation only');
  if (isFirst && SETUP_TOKEN !== undefined && !isSameSecret(setupToken ?? '', SETUP_TOKEN)) {
    throw new AppError('forbidden', 'Setting up the workspace requires the link with the setup token');
  }
}

export async function getSetup({ db, config }: Deps) {
  const setupRequired = !(await hasAccounts(db));
  const setupTokenRequired = setupRequired && config.SETUP_TOKEN !== undefined;
  return { setupRequired, setupTokenRequired, registration: config.REGISTRATION };
}
