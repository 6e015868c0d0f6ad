import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, startChat } from './factories.ts';
import { postFiles, sendFiles } from './files.ts';

const USER_BYTES = 10_000;
const WORKSPACE_BYTES = 20_000;
let service: TestService;
let people: People;
let db: Db;

beforeAll(async () => {
  ({ service, people } = await startChat({
    USER_STORAGE_QUOTA_BYTES: String(USER_BYTES),
    WORKSPACE_STORAGE_QUOTA_BYTES: String(WORKSPACE_BYTES),
  }));
  db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
});
afterAll(async () => {
  await db.pool.end();
  await service.close();
});

const content = (bytes: number) => newId().padEnd(bytes, '.');

/** Holds the lock that the statement takes, until the returned function is called. */
async function holdLock(statement: string, values: unknown[]) {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await tx.query(statement, values);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await transaction;
  };
}

const waitForLock = () =>
  waitFor(
    async () =>
      (
        await service.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).length > 0,
    { what: 'a statement to wait for a lock' },
  );

const usage = async () => {
  const [row] = await service.query(
    'select bytes, (select coalesce(sum(size), 0)::bigint from objects) as summed from storage_usage',
  );
  return row;
};

async function deleteMessages(messages: { _id: string }[], as: People[keyof People]) {
  for (const { _id } of messages) await request(service, as, ['DELETE', `/chat/messages/${_id}`]);
}

describe('files sent while another send waits', () => {
  it('are stored while another send of the same user waits for a locked conversation', async () => {
    const busy = await createGroup(service, [people.ben, people.cleo]);
    const quiet = await createGroup(service, [people.member, people.ben]);
    const release = await holdLock('select from conversations where conversation_id = $1 for update', [busy._id]);
    const first = sendFiles(service, {
      as: people.ben,
      fields: { conversation: busy._id },
      files: [['a.txt', content(100)]],
    });
    await waitForLock();
    const others = [];
    for (const as of [people.member, people.ben]) {
      const files = [['b.txt', content(100)]] as const;
      others.push({ as, message: await sendFiles(service, { as, fields: { conversation: quiet._id }, files }) });
    }
    await release();
    await deleteMessages([await first], people.ben);
    for (const { as, message } of others) await deleteMessages([message], as);
  });
});

describe('the quota of the workspace', () => {
  it('is never exceeded by users who send at the same time', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo, people.manager, people.admin]);
    const senders = [people.member, people.ben, people.cleo, people.manager, people.admin];
    const results = await Promise.all(
      senders.map(async (as) => ({
        as,
        response: await postFiles(service, { as, fields: { conversation: _id }, files: [['a.txt', content(6_000)]] }),
      })),
    );
    const statuses = results.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([201, 201, 201, 413, 413]);
    expect(results.find(({ response }) => response.status === 413)?.response.body).toMatchObject({
      message: expect.stringMatching(/^The workspace has [\d.]+ (?:Bytes|KB) left for files in chat, /),
    });
    expect(await usage()).toEqual({ bytes: 18_000, summed: 18_000 });
    for (const { as, response } of results.filter(({ response }) => response.status === 201))
      await deleteMessages([response.body as { _id: string }], as);
    expect(await usage()).toEqual({ bytes: 0, summed: 0 });
  });

  it('counts equal content of a user once, and excludes rolled-back uploads', async () => {
    const { _id } = await createGroup(service, [people.cleo, people.ben]);
    const fields = { conversation: _id };
    const files = [['a.txt', content(3_000)]] as const;
    const messages = [];
    for (let at = 0; at < 5; at += 1) messages.push(await sendFiles(service, { as: people.cleo, fields, files }));
    expect(await usage()).toEqual({ bytes: 3_000, summed: 3_000 });
    const tooMuch = {
      as: people.cleo,
      fields,
      files: [
        ['a.txt', content(4_000)],
        ['b.txt', content(4_000)],
      ] as const,
    };
    expect((await postFiles(service, tooMuch)).status).toBe(413);
    expect(await usage()).toEqual({ bytes: 3_000, summed: 3_000 });
    await deleteMessages(messages, people.cleo);
    expect(await usage()).toEqual({ bytes: 0, summed: 0 });
  });
});
