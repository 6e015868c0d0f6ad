import { passwordChanged } from '@atrium/proto-events/events/auth';
import type { resetPasswordBody } from '@atrium/proto-events/http/passwords';
import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { z } from 'zod';
import { type Account, findAccount, lockAccount, setPassword } from '../accounts/account-repository.ts';
import { isAccountActive } from '../accounts/is-account-active.ts';
import { forgetFailures, guessesFrom } from '../accounts/login-failures.ts';
import { presentSessionUser } from '../accounts/present-session-user.ts';
import { signInInstead } from '../accounts/sign-in-with-used-link.ts';
import type { Deps } from '../deps.ts';
import { isUpToDate } from '../directory-freshness.ts';
import { hashToken } from '../hash-token.ts';
import { assertLinkUsable } from '../link-validity.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { forgetDevices } from '../sessions/known-device-repository.ts';
import { issueSession, noteSignIn, openSession } from '../sessions/open-session.ts';
import type { Origin } from '../sessions/origin.ts';
import { recordAccountSecured } from '../sessions/record-account-secured.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { claimReset, endResets, findReset } from './reset-repository.ts';

type Given = { body: z.output<typeof resetPasswordBody>; origin: Origin };

/** Sets a new password with a link that works once and for an hour, ends every session of the person and begins one. */
export async function resetPassword(deps: Deps, given: Given) {
  const { body, origin } = given;
  const tokenHash = hashToken(body.token);
  const { account, used } = await findForgetful(deps, tokenHash);
  const session = used ? undefined : await replacePassword(deps, { ...given, account, tokenHash });
  if (!session) return signInInstead(deps, { email: account.email, body, origin, refusal: invalidToken() });
  noteSignIn(deps, session);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

/** Answers the session that begins with it; undefined where somebody was quicker. */
async function replacePassword(
  deps: Deps,
  { account, tokenHash, body, origin }: Given & { account: Account; tokenHash: Buffer },
) {
  await refuseCommonPassword(body.password, 'password');
  const passwordHash = await deps.passwords.hash(body.password, { address: origin.address, isKnown: true });
  const session = await issueSession(deps, { account, origin, device: body.device });
  const ended = await deps.db.transaction(async (tx) => {
    const { id } = account;
    if (!(await lockAccount(tx, id)) || !(await claimReset(tx, tokenHash))) return undefined;
    await setPassword(tx, id, passwordHash);
    await endResets(tx, id);
    await recordAccountSecured(tx, { userId: id, reason: 'password-changed', actorId: id });
    const revoked = await endSessions(tx, { userId: id, reason: 'password-changed', actorId: id });
    await forgetDevices(tx, id);
    await openSession(deps, tx, session);
    await appendEvent(tx, {
      event: passwordChanged,
      data: { userId: id, by: 'reset', ...origin },
      aggregate: id,
      actorId: id,
    });
    await forgetFailures(tx, guessesFrom(account.email, origin.address));
    return revoked;
  });
  for (const id of ended ?? []) deps.revocations.add(id);
  return ended && session;
}

/** Checked before the costly hash, and again when it is claimed. */
async function findForgetful(deps: Deps, tokenHash: Buffer) {
  const { db, directory } = deps;
  const reset = await findReset(db, tokenHash);
  if (!reset) throw invalidToken();
  const { used, expired, made_by: madeBy, created_at: madeAt } = reset;
  if (!used && (expired || (madeBy !== null && assertLinkUsable(directory, { madeBy, madeAt }))))
    throw new AppError('token_expired', 'This reset link has expired');
  const account = await findAccount(db, reset.user_id);
  if (!account) throw invalidToken();
  if (used) return { account, used };
  if (!isUpToDate(deps)) throw unavailable(IMPOSSIBLE);
  if (!(await isAccountActive(deps, account, IMPOSSIBLE))) throw invalidToken();
  return { account, used };
}

const IMPOSSIBLE = 'Passwords cannot be reset right now. Please try again in a moment.';
const invalidToken = () => new AppError('invalid_token', 'Invalid reset token');
