import { sessionsEnded, userDeleted, userDeparted } from '@atrium/proto-events/events/users';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { userKey } from '@atrium/service-kit/directory/directory-feed';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { directoryEntry } from './present-user.ts';
import { sessionCutoff } from './session-cutoff.ts';
import { markUserDeleted, type UserRow } from './user-repository.ts';

/**
 * Keeps only the id of a locked user: no personal data remains in the table or the directory, and all sessions end. Returns the directory
 * entry.
 */
export async function writeTombstone(
  tx: Queryable,
  before: UserRow,
  { actorId }: { actorId: string | null },
): Promise<DirectoryUser> {
  const row = await markUserDeleted(tx, before.id, await sessionCutoff(tx, before));
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
