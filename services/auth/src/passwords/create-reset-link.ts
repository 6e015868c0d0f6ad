import { passwordResetMade } from '@atrium/proto-events/events/auth';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findAccount, lockAccount } from '../accounts/account-repository.ts';
import { isAccountActive } from '../accounts/is-account-active.ts';
import type { Deps } from '../deps.ts';
import { requireOpenSession } from '../sessions/require-open-session.ts';
import { createResetToken } from './create-reset-token.ts';

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
    const made = await createResetToken(config, tx, { userId, madeBy: caller.userId });
    await publishResetCreated(tx, caller, { userId, made });
    return made;
  });
  return { resetUrl: reset.url, expiresAt: reset.expiresAt };
}

type CreatedReset = { userId: string; made: { id: string; expiresAt: string } };

function publishResetCreated(
  tx: Queryable,
  { userId: actorId }: Caller,
  { userId, made }: CreatedReset,
): Promise<void> {
  const data = { resetId: made.id, userId, madeBy: actorId, expiresAt: made.expiresAt };
  return appendEvent(tx, { event: passwordResetMade, data, aggregate: userId, actorId });
}
