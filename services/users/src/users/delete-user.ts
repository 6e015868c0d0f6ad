import { sessionsEnded, userDeactivated, userDeleted } from '@atrium/proto-events/events/users';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { userKey } from '@atrium/service-kit/directory/follow-directory';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { assertAdministrator, lockAdministrators } from './administrators.ts';
import { canDelete, DELETE_DENIED } from './policy.ts';
import { toDirectoryEntry } from './present-user.ts';
import { findUser, getSessionCutoff, lockUser, markUserDeleted, type UserRow } from './user-repository.ts';

/** Deletes the user. Their content stays, attributed to a tombstone. */
export async function deleteUser({ db, directory }: Deps, caller: Caller, id: string): Promise<void> {
  if (!canDelete(caller)) {
    throw (await findUser(db, id)) ? new AppError('forbidden', DELETE_DENIED) : notFound('User');
  }
  if (caller.userId === id) throw new AppError('conflict', 'You cannot delete yourself');
  const tombstone = await db.transaction(async (tx) => {
    await lockAdministrators(tx);
    // The caller is an active administrator and another user, so one administrator remains.
    await assertAdministrator(tx, caller, DELETE_DENIED);
    const before = await lockUser(tx, id);
    if (!before) throw notFound('User');
    return writeTombstone(tx, before, { actorId: caller.userId });
  });
  directory.putUser(tombstone);
}

/**
 * Removes everything but the id of a locked user, so that no personal data remains in the table or the directory, and
 * ends all sessions. Returns the directory entry.
 */
export async function writeTombstone(
  tx: Queryable,
  before: UserRow,
  { actorId }: { actorId: string | null },
): Promise<DirectoryUser> {
  const row = await markUserDeleted(tx, before.id, await getSessionCutoff(tx, before));
  const userId = row.id;
  const entry = toDirectoryEntry(row);
  await appendDirectoryEntry(tx, userKey(userId), entry);
  const deletedData = { userId, version: row.version };
  await appendEvent(tx, { event: userDeleted, data: deletedData, aggregate: userId, actorId });
  await appendEvent(tx, {
    event: userDeactivated,
    data: { ...deletedData, reason: 'deleted' },
    aggregate: userId,
    actorId,
  });
  const endedData = { userId, validAfter: row.sessions_valid_after, reason: 'deleted' as const };
  await appendEvent(tx, { event: sessionsEnded, data: endedData, aggregate: userId, actorId });
  return entry;
}
