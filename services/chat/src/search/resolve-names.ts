import { uniqueKey } from '@atrium/proto-events/text/fold';
import { searchNeedles } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { toSearchableName } from '../model/conversations/searchable-name.ts';

const ID = /^[0-9a-f]{24}$/;
/** Each is a condition of its own. */
const MAX_USERS = 100;
const MAX_USERS_OF_NAME = 20;
/** Further ones are ignored. */
const MAX_NAMES = 10;

type Users = Pick<Directory, 'users'>;

/** Returns the users whose names have words that begin with those of `@name`, or the one with the id, or the caller. */
export function findUsersByNames(directory: Users, values: readonly string[], callerId: string): string[] {
  const limit = Math.max(1, Math.min(MAX_USERS_OF_NAME, Math.floor(MAX_USERS / values.length)));
  const names = values.filter((value) => !isIdOrMe(value)).slice(0, MAX_NAMES);
  return [
    ...values.filter(isIdOrMe).map((value) => (ID.test(value) ? value : callerId)),
    ...findUsersByName(directory, names, limit),
  ];
}

const isIdOrMe = (value: string) => ID.test(value) || value.toLowerCase() === 'me';

/** Reads the directory once. Returns at most `limit` users of each name. */
function findUsersByName(directory: Users, names: readonly string[], limit: number): string[] {
  let pending = [...new Set(names)].flatMap((name) => {
    const needles = searchNeedles(name).map((needle) => (needle.startsWith(' ') ? needle : ` ${needle}`));
    return needles.length === 0 ? [] : [{ needles, ids: [] as string[] }];
  });
  const searches = pending;
  for (const user of directory.users()) {
    if (pending.length === 0) break;
    if (user.deleted) continue;
    const name = toSearchableName(user);
    for (const { needles, ids } of pending) if (needles.every((needle) => name.includes(needle))) ids.push(user._id);
    pending = pending.filter(({ ids }) => ids.length < limit);
  }
  return searches.flatMap(({ ids }) => ids);
}

/** Returns the caller's conversations with exactly one of these names, or with one of the ids. */
export async function findConversationsByNames(
  db: Queryable,
  values: readonly string[],
  callerId: string,
): Promise<string[]> {
  const ids = values.filter((value) => ID.test(value));
  const keys = new Set(values.filter((value) => !ID.test(value)).map((name) => uniqueKey(name.replace(/^#/, ''))));
  if (keys.size === 0) return ids;
  const { rows } = await db.query<{ conversation_id: string; title: string | null }>({
    name: 'list-conversation-titles',
    text: `select c.conversation_id, c.title from participants p join conversations c on c.conversation_id = p.conversation_id
      where p.user_id = $1 and c.title is not null`,
    values: [callerId],
  });
  const named = rows.filter(({ title }) => title !== null && keys.has(uniqueKey(title)));
  return [...ids, ...named.map((row) => row.conversation_id)];
}
