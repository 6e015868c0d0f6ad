import { sessionsEnded, userDeleted, userDeparted } from '@atrium/proto-events/events/users';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { userKey } from '@atrium/service-kit/directory/directory-feed';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { directoryEntry } from './present-user.ts';
import { endingNow } from './session-cutoff.ts';
import { markUserDeleted, type UserRow } from './user-repository.ts';

/**
 * What remains of a locked person who goes: their id and that they were here. Nothing personal stays, neither here nor in the
 * directory; their department forgets them, so that it can go, too; their sessions end everywhere. Answers what the directory keeps.
 */
export async function leaveTombstone(
  tx: Queryable,
  before: UserRow,
  { actorId }: { actorId: string | null },
): Promise<DirectoryUser> {
  const row = await markUserDeleted(tx, before.id, await endingNow(tx, before));
  const userId = row.id;
  const entry = directoryEntry(row);
  await appendDirectoryEntry(tx, userKey(userId), entry);
  const deleted = { userId, version: row.version };
  await appendEvent(tx, { event: userDeleted, data: deleted, aggregate: userId, actorId });
  await appendEvent(tx, { event: userDeparted, data: { ...deleted, reason: 'deleted' }, aggregate: userId, actorId });
  const ended = { userId, validAfter: row.sessions_valid_after, reason: 'deleted' as const };
  await appendEvent(tx, { event: sessionsEnded, data: ended, aggregate: userId, actorId });
  return entry;
}
