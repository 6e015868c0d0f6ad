import { passwordResetMade } from '@atrium/proto-events/events/auth';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { findAccount, lockAccount } from '../accounts/account-repository.ts';
import { isAccountActive } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { requireOpenSession } from '../sessions/session-repository.ts';
import { createReset } from './reset-repository.ts';

const LINKS_UNAVAILABLE = 'Links cannot be created right now. Please try again in a moment.';

/**
 * For users without working email. Not for the caller: a stranger at an open session could set a password
 * without the current one.
 */
export async function createResetLink(deps: Deps, caller: Caller, userId: string) {
  const { db, config, directory } = deps;
  if (caller.userId === userId) throw new AppError('conflict', 'Change your own password in Account Settings.');
  // Before the lock, since it may wait for the directory.
  const found = await findAccount(db, userId);
  const isActive = found?.state !== 'active' || (await isAccountActive(deps, found, LINKS_UNAVAILABLE));
  const reset = await db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    const account = await lockAccount(tx, userId);
    if (!account || directory.user(userId)?.deleted) throw notFound('User');
    if (account.state !== 'active') throw new AppError('conflict', 'This person has not accepted their invitation yet');
    if (!isActive) throw new AppError('conflict', 'This person is inactive');
    const created = await createReset(config, tx, { userId, createdBy: caller.userId });
    await appendEvent(tx, {
      event: passwordResetMade,
      data: { resetId: created.id, userId, madeBy: caller.userId, expiresAt: created.expiresAt },
      aggregate: userId,
      actorId: caller.userId,
    });
    return created;
  });
  return { resetUrl: reset.url, expiresAt: reset.expiresAt };
}
