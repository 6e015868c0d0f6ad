import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { listMessages } from '@atrium/proto-events/http/chat/messages';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { RANGES } from '../src/model/messages/message-page.ts';
import { createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type Page = ResponseOf<typeof listMessages>;

let db: pg.Client;
beforeAll(async () => {
  db = new pg.Client({ connectionString: service.env.DATABASE_URL });
  await db.connect();
});
afterAll(() => db.end());

const list = (as: keyof People, conversation: string, query = '') =>
  request<Page>(service, people[as], ['GET', `/chat/messages?conversation=${conversation}${query}`]);
const edit = (as: keyof People, id: string, content: string) =>
  request(service, people[as], ['PATCH', `/chat/messages/${id}`, { content }]);
const remove = (as: keyof People, id: string) => service.call('DELETE', `/chat/messages/${id}`, { as: people[as] });

async function createMessages(count: number) {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  const messages = [];
  for (let n = 1; n <= count; n += 1) messages.push(await send(service, people.member, _id, `message ${n}`));
  return { id: _id, messages };
}

describe('the revision of a conversation', () => {
  it('selects the messages that were edited or deleted after it, once and in order', async () => {
    const { id, messages } = await createMessages(5);
    expect(await list('ben', id)).toMatchObject({ revision: 0 });
    await edit('member', messages[3]?._id ?? '', 'four');
    await remove('member', messages[0]?._id ?? '');
    await edit('member', messages[1]?._id ?? '', 'two');
    await edit('member', messages[3]?._id ?? '', 'FOUR');
    const changedMessages = await list('ben', id, '&changedAfter=0');
    expect(changedMessages.data).toMatchObject([
      { seq: 1, deleted: true, content: '' },
      { seq: 2, content: 'two' },
      { seq: 4, content: 'FOUR' },
    ]);
    expect(changedMessages).toMatchObject({ revision: 4, hasMore: false, total: 5 });
    const firstPage = await list('ben', id, '&changedAfter=0&limit=2');
    expect(firstPage).toMatchObject({ data: [{ seq: 1 }, { seq: 2 }], revision: 3, hasMore: true });
    expect(await list('ben', id, '&changedAfter=3&limit=2')).toMatchObject({
      data: [{ seq: 4, abilities: { edit: false }, readBy: { count: 0 } }],
      revision: 4,
      hasMore: false,
    });
    expect(await list('ben', id, '&changedAfter=4')).toMatchObject({ data: [], revision: 4, hasMore: false });
  });

  it('is contained in every page and conversation', async () => {
    const { id, messages } = await createMessages(3);
    await edit('member', messages[0]?._id ?? '', 'one');
    for (const query of [
      '',
      '&limit=1&before=2',
      '&limit=1&after=2',
      '&from=2020-01-01T00:00:00Z',
      '&after=3',
      '&before=1',
    ])
      expect([query, (await list('ben', id, query)).revision]).toEqual([query, 1]);
    expect(await request(service, people.ben, ['GET', `/chat/conversations/${id}`])).toMatchObject({ revision: 1 });
    const { data } = await request<{ data: Conversation[] }>(service, people.ben, [
      'GET',
      '/chat/conversations?limit=100',
    ]);
    expect(data.find(({ _id }) => _id === id)).toMatchObject({ revision: 1 });
  });

  it('is rejected with 400 if it is invalid, and with 404 for non-participants', async () => {
    const { id } = await createMessages(1);
    const path = `/chat/messages?conversation=${id}&changedAfter=`;
    expect((await service.call('GET', `${path}0`, { as: people.stranger })).status).toBe(404);
    expect((await service.call('GET', `${path}0`)).status).toBe(401);
    for (const revision of ['', '-1', 'x', '1.5'])
      expect([revision, (await service.call('GET', path + revision, { as: people.ben })).status]).toEqual([
        revision,
        400,
      ]);
  });

  it('is broadcast with each edit and deletion, and not incremented by other changes', async () => {
    const { id, messages } = await createMessages(2);
    const ben = await connectChat(service, people.ben);
    await edit('member', messages[0]?._id ?? '', 'one');
    expect(await ben.receives('message:updated')).toMatchObject({ message: { content: 'one' }, revision: 1 });
    await remove('member', messages[1]?._id ?? '');
    expect(await ben.receives('message:deleted')).toMatchObject({ seq: 2, revision: 2 });
    await remove('member', messages[1]?._id ?? '');
    await send(service, people.ben, id);
    await request(service, people.ben, ['POST', `/chat/conversations/${id}/read`, {}]);
    expect(await list('ben', id)).toMatchObject({ revision: 2 });
  });

  it('is incremented by SQL statements that do not set it', async () => {
    const { id, messages } = await createMessages(2);
    await db.query(
      `update messages set content = 'changed', edited_at = now(), updated_at = now()
       where conversation_id = $1 and seq = $2 and deleted_at is null`,
      [id, messages[1]?.seq],
    );
    expect(await list('ben', id, '&changedAfter=0')).toMatchObject({
      data: [{ seq: 2, content: 'changed' }],
      revision: 1,
    });
  });

  it('selects by index, so that only changed messages are read', async () => {
    const id = 'e'.repeat(24);
    await db.query(
      `insert into messages (conversation_id, seq, message_id, sender_id, content, type)
       select $1, n, 'r' || n, 's', 'x', 'text' from generate_series(1, 50000) n`,
      [id],
    );
    await db.query(
      'insert into message_changes (conversation_id, seq, rev) select $1, n * 5, n from generate_series(1, 10000) n',
      [id],
    );
    await db.query('analyze messages, message_changes');
    await db.query(`prepare changed(text, text, int, bigint) as ${RANGES.changed}`);
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await db.query(`set plan_cache_mode = ${mode}`);
      const { rows } = await db.query(`explain execute changed('${id}', 'viewer', 100, 9900)`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan using message_changes_rev/);
      expect(plan).toMatch(/Index Scan using messages_pkey/);
      expect(plan).not.toMatch(/Sort|Seq Scan/);
    }
  });

  it('leaves no records of deleted messages', async () => {
    const { id, messages } = await createMessages(1);
    await edit('member', messages[0]?._id ?? '', 'one');
    await db.query('delete from messages where conversation_id = $1', [id]);
    const { rows } = await db.query('select * from message_changes where conversation_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('a client that fetches changes by revision', () => {
  it('converges to the server state after concurrent changes, with any page size', async () => {
    const changeArbitrary = fc.record({ seq: fc.integer({ min: 1, max: 6 }), isEdit: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(changeArbitrary, { maxLength: 5 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (rounds, limit) => {
          const { id, messages } = await createMessages(6);
          const initialPage = await list('ben', id);
          const knownMessages = new Map(initialPage.data.map((message) => [message.seq, message]));
          let revision = initialPage.revision ?? -1;
          const fetchChanges = async () => {
            for (let hasMore = true; hasMore; ) {
              const page = await list('ben', id, `&changedAfter=${revision}&limit=${limit}`);
              for (const message of page.data) knownMessages.set(message.seq, message);
              revision = page.revision ?? -1;
              hasMore = page.hasMore;
            }
          };
          for (const round of rounds) {
            const changes = round.map(({ seq, isEdit }, index) => {
              const messageId = messages[seq - 1]?._id ?? '';
              const path = `/chat/messages/${messageId}`;
              return isEdit
                ? service.call('PATCH', path, { as: people.member, body: { content: `edit ${index}` } })
                : service.call('DELETE', path, { as: people.member });
            });
            await Promise.all([...changes, fetchChanges()]);
          }
          await fetchChanges();
          const finalPage = await list('ben', id);
          expect([...knownMessages.values()].sort((a, b) => a.seq - b.seq)).toEqual(finalPage.data);
          expect(revision).toBe(finalPage.revision);
        },
      ),
      { numRuns: 15 },
    );
  });
});
