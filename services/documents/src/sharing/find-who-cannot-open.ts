import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { findReadersAmong } from './access-repository.ts';
import { readerOfPerson } from './to-reader.ts';

type Asked = { id: string; userIds: readonly string[] };

/** Who of these people cannot open a document, before somebody shows it to them. Who cannot sign in cannot either. */
export async function findWhoCannotOpen({ db, directory }: Deps, caller: Caller, { id, userIds }: Asked) {
  await requireReadable(db, caller, id);
  const asked = [...new Set(userIds)];
  const people = asked.flatMap((userId) => directory.user(userId) ?? []).filter(isActive);
  const readers = await findReadersAmong(db, id, people.map(readerOfPerson));
  const cannotOpen = asked.filter((userId) => !readers.has(userId)).map((userId) => directory.summary(userId));
  return { asked: asked.length, cannotOpen };
}
