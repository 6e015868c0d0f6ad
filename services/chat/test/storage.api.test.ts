import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, startChat } from './factories.ts';
import { postFiles, sendFiles } from './files.ts';
import { holdLock, waitForLock } from './locks.ts';

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

const createContent = (bytes: number) => newId().padEnd(bytes, '.');

const readUsage = async () => {
  const [row] = await service.query(
    'select bytes, (select coalesce(sum(size), 0)::bigint from objects) as summed from storage_usage',
  );
  return row;
};

async function deleteMessages(messages: { _id: string }[], as: People[keyof People]) {
  for (const { _id } of messages) await request(service, as, ['DELETE', `/chat/messages/${_id}`]);
}

describe('a send that waits for a locked conversation', () => {
  it('does not block files that the same user or other users send to a different conversation', async () => {
    const busyGroup = await createGroup(service, [people.ben, people.cleo]);
    const quietGroup = await createGroup(service, [people.member, people.ben]);
    const release = await holdLock(db, 'select from conversations where conversation_id = $1 for update', [
      busyGroup._id,
    ]);
    const firstSend = sendFiles(service, {
      as: people.ben,
      fields: { conversation: busyGroup._id },
      files: [['a.txt', createContent(100)]],
    });
    await waitForLock(service);
    const otherSends = [];
    for (const as of [people.member, people.ben]) {
      const files = [['b.txt', createContent(100)]] as const;
      otherSends.push({
        as,
        message: await sendFiles(service, { as, fields: { conversation: quietGroup._id }, files }),
      });
    }
    await release();
    await deleteMessages([await firstSend], people.ben);
    for (const { as, message } of otherSends) await deleteMessages([message], as);
  });
});

describe('the quota of the workspace', () => {
  it('is not exceeded by users who send concurrently', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo, people.manager, people.admin]);
    const senders = [people.member, people.ben, people.cleo, people.manager, people.admin];
    const results = await Promise.all(
      senders.map(async (as) => ({
        as,
        response: await postFiles(service, {
          as,
          fields: { conversation: _id },
          files: [['a.txt', createContent(6_000)]],
        }),
      })),
    );
    const statuses = results.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([201, 201, 201, 413, 413]);
    expect(results.find(({ response }) => response.status === 413)?.response.body).toMatchObject({
      message: expect.stringMatching(/^The workspace has [\d.]+ (?:Bytes|KB) left for files in chat, /),
    });
    expect(await readUsage()).toEqual({ bytes: 18_000, summed: 18_000 });
    for (const { as, response } of results.filter(({ response }) => response.status === 201))
      await deleteMessages([response.body as { _id: string }], as);
    expect(await readUsage()).toEqual({ bytes: 0, summed: 0 });
  });

  it('counts equal content of a user once, and does not count rolled-back uploads', async () => {
    const { _id } = await createGroup(service, [people.cleo, people.ben]);
    const fields = { conversation: _id };
    const files = [['a.txt', createContent(3_000)]] as const;
    const messages = [];
    for (let index = 0; index < 5; index += 1)
      messages.push(await sendFiles(service, { as: people.cleo, fields, files }));
    expect(await readUsage()).toEqual({ bytes: 3_000, summed: 3_000 });
    const largeRequest = {
      as: people.cleo,
      fields,
      files: [
        ['a.txt', createContent(4_000)],
        ['b.txt', createContent(4_000)],
      ] as const,
    };
    expect((await postFiles(service, largeRequest)).status).toBe(413);
    expect(await readUsage()).toEqual({ bytes: 3_000, summed: 3_000 });
    await deleteMessages(messages, people.cleo);
    expect(await readUsage()).toEqual({ bytes: 0, summed: 0 });
  });
});

it('GET /chat/attachments/history sums the stored files by day for administrators', async () => {
  const path = '/chat/attachments/history?timezone=UTC';
  const { status, body } = await service.call('GET', path, { as: people.admin });
  const { days } = body as { days: { files: number; bytes: number }[] };
  expect([status, days.reduce((total, { bytes }) => total + bytes, 0)]).toEqual([200, (await readUsage())?.summed]);
  expect((await service.call('GET', path, { as: people.ben })).status).toBe(403);
  expect((await service.call('GET', '/chat/attachments/history?timezone=Mars', { as: people.admin })).status).toBe(400);
  expect((await service.call('GET', path)).status).toBe(401);
});
