import { newId } from '@atrium/service-kit/process/new-id';
import pg from 'pg';
import type { LoadEnvironment } from './load-environment.ts';

const CONVERSATIONS = 100;
const USERS_PER_CONVERSATION = 32;
const MESSAGES = 1_000;
const CONTENT = 'A message of the usual length, with nothing special in it.';

/**
 * Inserts 100 channels of 32 users directly into the database. The first user is in all of them. Each has one message,
 * except one with a thousand, whose id is returned.
 */
export async function seedConversations(
  databaseUrl: string,
  users: LoadEnvironment['users'],
): Promise<{ longConversation: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ids = users.map(({ _id }) => _id);
    for (let index = 1; index < CONVERSATIONS; index += 1) await insert(client, ids, { index, messages: 1 });
    const longConversation = await insert(client, ids, { index: 0, messages: MESSAGES });
    await client.query('analyze');
    return { longConversation };
  } finally {
    await client.end();
  }
}

type InsertParams = { index: number; messages: number };

async function insert(client: pg.Client, ids: readonly string[], { index, messages }: InsertParams): Promise<string> {
  const id = newId();
  // The first user is in each; the others vary.
  const others = Array.from(
    { length: USERS_PER_CONVERSATION - 1 },
    (_, n) => ids[1 + ((index + n) % (ids.length - 1))],
  );
  const participants = [ids[0], ...others];
  await client.query(
    `insert into conversations (conversation_id, type, title, created_by, last_seq) values ($1, 'group', $2, $3, $4)`,
    [id, `channel-${index}`, participants[1], messages],
  );
  // Some have read everything and some have not.
  await client.query(
    `insert into participants (conversation_id, user_id, last_read_seq)
     select $1, person, greatest(0, $3::int - (n % 8) * 3) from unnest($2::text[]) with ordinality as p (person, n)`,
    [id, participants, messages],
  );
  await client.query(
    `insert into messages (conversation_id, seq, message_id, sender_id, content, type)
     select $1, seq, left(md5($1 || seq), 24), ($2::text[])[1 + seq % cardinality($2::text[])], $4, 'text'
     from generate_series(1, $3::int) seq`,
    [id, participants, messages, CONTENT],
  );
  return id;
}
