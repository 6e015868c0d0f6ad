import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { indexBatch } from '../src/search/index-messages.ts';
import { createGroup } from './factories.ts';
import { people, service } from './running-chat.ts';

const MESSAGES = 60;
const CONTENT = 'word '.repeat(2_000);

let db: Db;
beforeAll(() => {
  db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
});
afterAll(() => db.pool.end());

it('long messages are indexed in several batches', async () => {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
  const ids = Array.from({ length: MESSAGES }, newId);
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into messages (conversation_id, seq, message_id, sender_id, content, type)
       select $1, n, id, $2, $3, 'text' from unnest($4::text[]) with ordinality as m (id, n)`,
      [conversation, people.member._id, CONTENT, ids],
    );
    const countEntries = async () =>
      (await tx.query('select from search_entries where message_id = any($1)', [ids])).rows.length;
    // Indexes nothing while the service indexes something. From then on, the service waits.
    while ((await countEntries()) === 0) await indexBatch(tx);
    expect(await countEntries()).toBe(50);
    await indexBatch(tx);
    expect(await countEntries()).toBe(MESSAGES);
  });
});

it('a search that takes too long fails with what to do', async () => {
  const searchNow = () => service.call('GET', '/chat/search?q=word', { as: people.ben });
  await db.transaction(async (tx) => {
    await tx.query('lock table search_entries in access exclusive mode');
    const startedAt = performance.now();
    const { status, body } = await searchNow();
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('This search takes too long') },
    });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
  expect((await searchNow()).status).toBe(200);
});
