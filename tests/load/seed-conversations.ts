import { newId } from '@atrium/service-kit/process/new-id';
import pg from 'pg';
import type { LoadEnvironment } from './load-environment.ts';

const CONVERSATIONS = 100;
const PEOPLE_OF_EACH = 32;
const MESSAGES = 1_000;
const CONTENT = 'A message of the usual length, with nothing special in it.';

/**
 * Inserts 100 channels of 32 users with their latest message, all of them the first user's, and one with a thousand messages, directly into
 * the database.
 */
export async function seedConversations(
  databaseUrl: string,
  people: LoadEnvironment['people'],
): Promise<{ talk: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ids = people.map(({ _id }) => _id);
    for (let index = 1; index < CONVERSATIONS; index += 1) await insert(client, ids, { index, messages: 1 });
    const talk = await insert(client, ids, { index: 0, messages: MESSAGES });
    await client.query('analyze');
    return { talk };
  } finally {
    await client.end();
  }
}

type Seeded = { index: number; messages: number };

async function insert(client: pg.Client, ids: readonly string[], { index, messages }: Seeded): Promise<string> {
  const id = newId();
  // The first user is in each; the others vary.
  const others = Array.from({ length: PEOPLE_OF_EACH - 1 }, (_, n) => ids[1 + ((index + n) % (ids.length - 1))]);
  const people = [ids[0], ...others];
  await client.query(
    `insert into conversations (conversation_id, type, title, created_by, last_seq) values ($1, 'group', $2, $3, $4)`,
    [id, `channel-${index}`, people[1], messages],
  );
  // Some have read everything and some have not.
  await client.query(
    `insert into participants (conversation_id, user_id, last_read_seq)
     select $1, person, greatest(0, $3::int - (n % 8) * 3) from unnest($2::text[]) with ordinality as p (person, n)`,
    [id, people, messages],
  );
  await client.query(
    `insert into messages (conversation_id, seq, message_id, sender_id, content, type)
     select $1, seq, left(md5($1 || seq), 24), ($2::text[])[1 + seq % cardinality($2::text[])], $4, 'text'
     from generate_series(1, $3::int) seq`,
    [id, people, messages, CONTENT],
  );
  return id;
}
