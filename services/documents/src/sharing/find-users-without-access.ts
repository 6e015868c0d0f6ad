import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { findReadersAmong } from './access-repository.ts';
import { toReader } from './to-reader.ts';

type FindUsersWithoutAccessParams = { id: string; userIds: readonly string[] };

/** Lists which of these users cannot open a document, before it is shown to them. Includes users who cannot sign in. */
export async function findUsersWithoutAccess(
  { db, directory }: Deps,
  caller: Caller,
  { id, userIds }: FindUsersWithoutAccessParams,
) {
  await requireReadable(db, caller, id);
  const asked = [...new Set(userIds)];
  const users = asked.flatMap((userId) => directory.user(userId) ?? []).filter(isActive);
  const readers = await findReadersAmong(db, id, users.map(toReader));
  const cannotOpen = asked.filter((userId) => !readers.has(userId)).map((userId) => directory.summary(userId));
  return { asked: asked.length, cannotOpen };
}
