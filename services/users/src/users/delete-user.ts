import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { canDelete, DELETE_DENIED } from './policy.ts';
import { requireAdministrator } from './require-administrator.ts';
import { findUser, lockAdministrators, lockUser } from './user-repository.ts';
import { writeTombstone } from './write-tombstone.ts';

/** Content of the user stays, attributed to a tombstone. */
export async function deleteUser({ db, directory }: Deps, caller: Caller, id: string): Promise<void> {
  if (!canDelete(caller)) {
    throw (await findUser(db, id)) ? new AppError('forbidden', DELETE_DENIED) : notFound('User');
  }
  if (caller.userId === id) throw new AppError('conflict', 'You cannot delete yourself');
  const tombstone = await db.transaction(async (tx) => {
    await lockAdministrators(tx);
    // The caller is an active administrator and another user, so one administrator remains.
    await requireAdministrator(tx, caller, DELETE_DENIED);
    const before = await lockUser(tx, id);
    if (!before) throw notFound('User');
    return writeTombstone(tx, before, { actorId: caller.userId });
  });
  directory.putUser(tombstone);
}
