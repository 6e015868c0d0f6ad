import { AppError, notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { lockAccount } from '../accounts/account-repository.ts';
import { isActive } from '../accounts/await-active.ts';
import type { Deps } from '../app.ts';
import { makeReset } from './make-reset.ts';

/** Makes a link for an administrator to hand over, for when mail does not reach somebody (decisions, section 2). */
export async function createResetLink({ db, config, directory }: Deps, caller: Caller, userId: string) {
  if (caller.role !== 'admin') throw new AppError('forbidden', 'Only administrators can make reset links');
  const reset = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    const known = directory.user(userId);
    if (!account || known?.deleted) throw notFound('User');
    if (account.state !== 'active') throw new AppError('conflict', 'This person has not accepted their invitation yet');
    if (!isActive(known)) throw new AppError('conflict', 'This person is inactive');
    return makeReset(config, tx, { userId, madeBy: caller.userId });
  });
  return { resetUrl: reset.url, expiresAt: reset.expiresAt };
}
