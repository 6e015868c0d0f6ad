import { passwordResetCreated } from '@atrium/proto-events/events/auth';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { findAccount, lockAccount } from '../accounts/account-repository.ts';
import { isAccountActive } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { assertOpenSession } from '../sessions/session-repository.ts';
import { createReset } from './reset-repository.ts';

const LINKS_UNAVAILABLE = 'Links cannot be created right now. Please try again in a moment.';

/**
 * Creates a link for users without working email. Callers cannot create one for themselves: a person at an unattended
 * session could otherwise set a new password without the current one.
 */
export async function createResetLink(deps: Deps, caller: Caller, userId: string) {
  const { db, config, directory } = deps;
  if (caller.userId === userId) throw new AppError('conflict', 'Change your own password in Account Settings.');
  // Checked before the lock, because this may wait for the directory.
  const unlockedAccount = await findAccount(db, userId);
  const isDeactivated =
    unlockedAccount?.state === 'active' && !(await isAccountActive(deps, unlockedAccount, LINKS_UNAVAILABLE));
  const reset = await db.transaction(async (tx) => {
    await assertOpenSession(tx, caller);
    const account = await lockAccount(tx, userId);
    if (!account || directory.user(userId)?.deleted) throw notFound('User');
    if (account.state !== 'active') throw new AppError('conflict', 'This person has not accepted their invitation yet');
    if (isDeactivated) throw new AppError('conflict', 'This person is inactive');
    const newReset = await createReset(config, tx, { userId, createdBy: caller.userId });
    await appendEvent(tx, {
      event: passwordResetCreated,
      data: { resetId: newReset.id, userId, madeBy: caller.userId, expiresAt: newReset.expiresAt },
      aggregate: userId,
      actorId: caller.userId,
    });
    return newReset;
  });
  return { resetUrl: reset.url, expiresAt: reset.expiresAt };
}
