import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { DELETE_REFUSED, mayDelete } from './policy.ts';
import { requireAdministrator } from './require-administrator.ts';
import { findUser, lockAdministrators, lockUser } from './user-repository.ts';
import { leaveTombstone } from './write-tombstone.ts';

/** Deletes a person for everybody else's eyes: what they wrote stays, under a tombstone (decisions, section 3). */
export async function deleteUser({ db, directory }: Deps, caller: Caller, id: string): Promise<void> {
  if (!mayDelete(caller)) {
    throw (await findUser(db, id)) ? new AppError('forbidden', DELETE_REFUSED) : notFound('User');
  }
  if (caller.userId === id) throw new AppError('conflict', 'You cannot delete yourself');
  const tombstone = await db.transaction(async (tx) => {
    await lockAdministrators(tx);
    // An active administrator, and another person: so one remains.
    await requireAdministrator(tx, caller, DELETE_REFUSED);
    const before = await lockUser(tx, id);
    if (!before) throw notFound('User');
    return leaveTombstone(tx, before, { actorId: caller.userId });
  });
  directory.putUser(tombstone);
}
