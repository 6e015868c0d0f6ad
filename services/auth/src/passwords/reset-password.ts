import { passwordChanged } from '@atrium/proto-events/events/auth';
import type { resetPasswordBody } from '@atrium/proto-events/http/passwords';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { z } from 'zod';
import {
  type Account,
  findAccount,
  lockAccount,
  presentSessionUser,
  setPassword,
} from '../accounts/account-repository.ts';
import { isAccountActive, isDirectoryFresh } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { assertUncommonPassword } from '../secrets/common-passwords.ts';
import { hashToken } from '../secrets/crypto.ts';
import { isLinkRevokedOrThrow } from '../secrets/secret-link.ts';
import { endSessionsForSecurity } from '../sessions/end-sessions.ts';
import { issueSession, logSignIn, openSession } from '../sessions/open-session.ts';
import type { SessionClient } from '../sessions/session-client.ts';
import { deleteKnownDevices } from '../sessions/session-repository.ts';
import { signInWithUsedLink } from '../sign-in/login.ts';
import { attemptsFromAddress, clearFailures } from '../sign-in/login-failures.ts';
import { claimReset, findReset, invalidateResets } from './reset-repository.ts';

type ResetPasswordParams = { body: z.output<typeof resetPasswordBody>; client: SessionClient };

export async function resetPassword(deps: Deps, params: ResetPasswordParams) {
  const { body, client } = params;
  const tokenHash = hashToken(body.token);
  const { account, used } = await findResetAccount(deps, tokenHash);
  const session = used ? undefined : await replacePassword(deps, { ...params, account, tokenHash });
  if (!session) return signInWithUsedLink(deps, { email: account.email, body, client, linkError: invalidToken() });
  logSignIn(deps, session);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

async function replacePassword(
  deps: Deps,
  { account, tokenHash, body, client }: ResetPasswordParams & { account: Account; tokenHash: Buffer },
) {
  await assertUncommonPassword(body.password, 'password');
  const passwordHash = await deps.passwords.hash(body.password, { address: client.address, isKnown: true });
  const session = await issueSession(deps, { account, client, device: body.device });
  const endedSessionIds = await deps.db.transaction(async (tx) => {
    const { id } = account;
    if (!(await lockAccount(tx, id)) || !(await claimReset(tx, tokenHash))) return undefined;
    await setPassword(tx, id, passwordHash);
    await invalidateResets(tx, id);
    // Before the sessions end, because their browsers are notified.
    await appendEvent(tx, {
      event: passwordChanged,
      data: { userId: id, by: 'reset', ...client },
      aggregate: id,
      actorId: id,
    });
    const revokedSessionIds = await endSessionsForSecurity(tx, { userId: id, reason: 'password-changed', actorId: id });
    await deleteKnownDevices(tx, id);
    await openSession(deps, tx, session);
    await clearFailures(tx, attemptsFromAddress(account.email, client.address));
    return revokedSessionIds;
  });
  for (const id of endedSessionIds ?? []) deps.revocations.add(id);
  return endedSessionIds && session;
}

/** Checks the link before the expensive password hash; claiming it checks again. */
async function findResetAccount(deps: Deps, tokenHash: Buffer) {
  const { db, directory } = deps;
  const reset = await findReset(db, tokenHash);
  if (!reset) throw invalidToken();
  const { used, expired, created_by: createdBy, created_at: createdAt } = reset;
  if (!used && (expired || (createdBy !== null && isLinkRevokedOrThrow(directory, { createdBy, createdAt }))))
    throw new AppError('token_expired', 'This reset link has expired');
  const account = await findAccount(db, reset.user_id);
  if (!account) throw invalidToken();
  if (used) return { account, used };
  if (!isDirectoryFresh(deps)) throw unavailable(RESET_UNAVAILABLE);
  if (!(await isAccountActive(deps, account, RESET_UNAVAILABLE))) throw invalidToken();
  return { account, used };
}

const RESET_UNAVAILABLE = 'Passwords cannot be reset right now. Please try again in a moment.';
const invalidToken = () => new AppError('invalid_token', 'Invalid reset token');
