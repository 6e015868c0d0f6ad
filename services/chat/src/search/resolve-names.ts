import type { DirectoryUser } from '@atrium/proto-events/people';
import { uniqueKey } from '@atrium/proto-events/text/fold';
import { searchNeedles, toSearchText } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

const ID = /^[0-9a-f]{24}$/;
/** Each is a condition of its own. */
const MAX_USERS = 20;

/** Folding the names of a hundred thousand users takes a second. */
const foldedNames = new WeakMap<DirectoryUser, string>();

function foldName(user: DirectoryUser): string {
  const folded = foldedNames.get(user) ?? toSearchText(`${user.firstName} ${user.lastName}`);
  foldedNames.set(user, folded);
  return folded;
}

/** Returns the users whose names have words that begin with those of `@name`, or the one with the id, or the caller. */
export function findUsersByName(directory: Pick<Directory, 'users'>, value: string, callerId: string): string[] {
  if (ID.test(value)) return [value];
  if (value.toLowerCase() === 'me') return [callerId];
  const needles = searchNeedles(value).map((needle) => (needle.startsWith(' ') ? needle : ` ${needle}`));
  if (needles.length === 0) return [];
  const ids: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !needles.every((needle) => foldName(user).includes(needle))) continue;
    ids.push(user._id);
    if (ids.length === MAX_USERS) break;
  }
  return ids;
}

/** Returns the caller's conversations with exactly this name, or the one with the id. */
export async function findConversationsByName(db: Queryable, value: string, callerId: string): Promise<string[]> {
  if (ID.test(value)) return [value];
  const key = uniqueKey(value.replace(/^#/, ''));
  const { rows } = await db.query<{ conversation_id: string; title: string | null }>({
    name: 'list-conversation-titles',
    text: `select c.conversation_id, c.title from participants p join conversations c on c.conversation_id = p.conversation_id
      where p.user_id = $1 and c.title is not null`,
    values: [callerId],
  });
  return rows.filter(({ title }) => title !== null && uniqueKey(title) === key).map((row) => row.conversation_id);
}
