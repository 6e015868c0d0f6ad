import { passwordResetMade } from '@atrium/proto-events/events/auth';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findAccount, lockAccount } from '../accounts/account-repository.ts';
import { isAccountActive } from '../accounts/is-account-active.ts';
import type { Deps } from '../deps.ts';
import { requireOpenSession } from '../sessions/require-open-session.ts';
import { makeReset } from './create-reset-token.ts';

const IMPOSSIBLE = 'No link can be made right now. Please try again in a moment.';

/**
 * Makes a link for an administrator to hand over, for when mail does not reach somebody (decisions, section 2). None for themselves:
 * whoever sits down at their open session would need no current password.
 */
export async function createResetLink(deps: Deps, caller: Caller, userId: string) {
  const { db, config, directory } = deps;
  if (caller.userId === userId) throw new AppError('conflict', 'Change your own password in Account Settings.');
  // Before the lock, for it may have to wait for news of somebody who has just come.
  const found = await findAccount(db, userId);
  const stands = found?.state !== 'active' || (await isAccountActive(deps, found, IMPOSSIBLE));
  const reset = await db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    const account = await lockAccount(tx, userId);
    if (!account || directory.user(userId)?.deleted) throw notFound('User');
    if (account.state !== 'active') throw new AppError('conflict', 'This person has not accepted their invitation yet');
    if (!stands) throw new AppError('conflict', 'This person is inactive');
    const made = await makeReset(config, tx, { userId, madeBy: caller.userId });
    await announceReset(tx, caller, { userId, made });
    return made;
  });
  return { resetUrl: reset.url, expiresAt: reset.expiresAt };
}

type Made = { userId: string; made: { id: string; expiresAt: string } };

/** It is on record who could have let themselves in, and never with what. */
function announceReset(tx: Queryable, { userId: actorId }: Caller, { userId, made }: Made): Promise<void> {
  const data = { resetId: made.id, userId, madeBy: actorId, expiresAt: made.expiresAt };
  return appendEvent(tx, { event: passwordResetMade, data, aggregate: userId, actorId });
}
