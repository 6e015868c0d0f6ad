import { uniqueKey } from '@atrium/proto-events/text/fold';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

const ID = /^[0-9a-f]{24}$/;

/** Channels are stored with hyphens, but users also type their names with spaces. */
const toKey = (name: string) => uniqueKey(name.trim().replace(/\s+/g, '-'));

/** Returns the caller's conversations with exactly one of these names, or with one of the ids. */
export async function findConversationsByNames(
  db: Queryable,
  values: readonly string[],
  callerId: string,
): Promise<string[]> {
  const ids = values.filter((value) => ID.test(value));
  const keys = new Set(values.filter((value) => !ID.test(value)).map((name) => toKey(name.replace(/^#/, ''))));
  if (keys.size === 0) return ids;
  const { rows } = await db.query<{ conversation_id: string; title: string | null }>({
    name: 'list-conversation-titles',
    text: `select c.conversation_id, c.title from participants p join conversations c on c.conversation_id = p.conversation_id
      where p.user_id = $1 and c.title is not null`,
    values: [callerId],
  });
  const named = rows.filter(({ title }) => title !== null && keys.has(toKey(title)));
  return [...ids, ...named.map((row) => row.conversation_id)];
}
