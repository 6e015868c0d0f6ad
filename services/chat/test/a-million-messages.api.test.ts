import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findFirstSince } from '../src/messages/list-messages.ts';
import { findConversation, listConversationRows } from '../src/model/conversations/conversation-repository.ts';
import { findReadState, listUnread } from '../src/model/conversations/participant-repository.ts';
import { moveReadPosition } from '../src/model/conversations/read-position.ts';
import { findMessagePage, type PageRange } from '../src/model/messages/message-page.ts';
import { createGroup, request } from './factories.ts';
import { people, service } from './running-chat.ts';

const MILLION = 1_000_000;
const START = Date.UTC(2020, 0, 1);
/** Allows for the additional levels of larger indexes; some statements use several indexes. */
const MAX_EXTRA_PAGES = 40;

let db: pg.Client;
let largeId: string;
let smallId: string;

beforeAll(async () => {
  db = new pg.Client({ connectionString: service.env.DATABASE_URL });
  await db.connect();
  largeId = await createConversation(MILLION);
  smallId = await createConversation(10);
  await db.query('analyze messages, participants, conversations');
});
afterAll(() => db.end());

/** Creates a conversation with one message per minute, sent by Mia and not read by Ben. */
async function createConversation(count: number): Promise<string> {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  // Entering them for searches would take minutes.
  await db.query('alter table messages disable trigger messages_queue_search');
  await db.query(
    `insert into messages (conversation_id, seq, message_id, sender_id, content, type, created_at)
     select $1, n, lpad(to_hex(n), 24, '0'), $2, 'x', 'text', $3::timestamptz + n * interval '1 minute' from generate_series(1, $4::int) n`,
    [_id, people.member._id, new Date(START), count],
  );
  await db.query('update conversations set last_seq = $2 where conversation_id = $1', [_id, count]);
  return _id;
}

const readPage = (db: Queryable, id: string, range: PageRange = {}) =>
  findMessagePage(db, { of: 'conversation', id, viewerId: people.ben._id, limit: 100, ...range });

/** Counts the database pages that the statements of `work` read. */
async function countPages(work: (db: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const explainingDb: Queryable = {
    async query<Row extends pg.QueryResultRow>(query: string | pg.QueryConfig, defaultValues?: unknown[]) {
      const { text, values = defaultValues } = typeof query === 'string' ? { text: query } : query;
      await db.query('begin');
      const explanation = await db.query(`explain (analyze, buffers, format json) ${text}`, values);
      await db.query('rollback');
      const { Plan: plan } = explanation.rows[0]['QUERY PLAN'][0];
      pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return db.query<Row>(text, values);
    },
  };
  await work(explainingDb);
  return pages;
}

describe('a conversation of a million unread messages', () => {
  it.each<[string, (db: Queryable, id: string, last: number) => Promise<unknown>]>([
    ['its newest page', (on, id) => readPage(on, id)],
    ['the page at the first unread', (on, id) => readPage(on, id, { after: 0 })],
    ['a page in the middle', (on, id, last) => readPage(on, id, { before: Math.ceil(last / 2) })],
    ['the changed messages', (on, id) => readPage(on, id, { changedAfter: 0 })],
    ['the conversation', (on, id) => findConversation(on, id, people.ben._id)],
    ['its unread count', (on, id) => findReadState(on, id, people.ben._id)],
    ['all unread counts', (on) => listUnread(on, people.ben._id, 500)],
    ['the list', (on) => listConversationRows(on, people.ben._id, { limit: 100, offset: 0, maxParticipants: 6 })],
    [
      'marking half of it as read',
      (on, id, last) =>
        moveReadPosition(on, {
          of: 'conversation',
          id,
          conversation: id,
          userId: people.ben._id,
          seq: Math.ceil(last / 2),
        }),
    ],
    [
      'marking the rest as read',
      (on, id) =>
        moveReadPosition(on, { of: 'conversation', id, conversation: id, userId: people.ben._id, seq: undefined }),
    ],
    [
      'the first message of a day',
      (on, id, last) => findFirstSince(on, id, new Date(START + last * 30_000).toISOString()),
    ],
  ])('reads as few database pages as a conversation of ten messages: %s', async (_read, work) => {
    const smallPages = await countPages((on) => work(on, smallId, 10));
    const largePages = await countPages((on) => work(on, largeId, MILLION));
    expect(largePages).toBeLessThanOrEqual(smallPages + 101 + MAX_EXTRA_PAGES);
  });
});

describe('GET /chat/messages?from=', () => {
  const findFirstSeq = async (id: string, from: string) =>
    (
      await request<{ data: { seq: number }[] }>(service, people.ben, [
        'GET',
        `/chat/messages?conversation=${id}&limit=1&from=${encodeURIComponent(from)}`,
      ])
    ).data[0]?.seq;
  const minuteTime = (n: number, ms = 0) => new Date(START + n * 60_000 + ms).toISOString();

  it('finds the first message at or after a time, anywhere in the conversation', async () => {
    for (const n of [1, 2, 499_999, 765_432, 999_999, MILLION]) {
      expect(await findFirstSeq(largeId, minuteTime(n))).toBe(n);
      expect(await findFirstSeq(largeId, minuteTime(n, -1))).toBe(n);
      expect(await findFirstSeq(largeId, minuteTime(n, 1))).toBe(n === MILLION ? undefined : n + 1);
    }
    expect(await findFirstSeq(largeId, '0001-01-01T00:00:00Z')).toBe(1);
    expect(await findFirstSeq(largeId, '2020-01-01T02:05:00+02:00')).toBe(5);
    expect(await findFirstSeq(smallId, minuteTime(11))).toBeUndefined();
  });

  it('returns a page that begins with the first message at or after the time', async () => {
    const { data } = await request<{ data: { seq: number }[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${largeId}&limit=3&from=${minuteTime(500)}`,
    ]);
    expect(data.map(({ seq }) => seq)).toEqual([500, 501, 502]);
  });

  it('rejects an invalid time with 400 and non-participants with 404', async () => {
    const call = (from: string, as: (typeof people)['ben']) =>
      service.call('GET', `/chat/messages?conversation=${smallId}&from=${from}`, { as });
    for (const from of ['', 'yesterday', '2020-13-01T00:00:00Z', '2020-01-01'])
      expect([from, (await call(from, people.ben)).status]).toEqual([from, 400]);
    expect((await call(minuteTime(1), people.stranger)).status).toBe(404);
  });

  it('finds the next message when seqs are missing', async () => {
    const id = await createConversation(20);
    await db.query('delete from messages where conversation_id = $1 and seq in (10, 11, 12)', [id]);
    expect(await findFirstSeq(id, minuteTime(9))).toBe(9);
    expect(await findFirstSeq(id, minuteTime(11))).toBe(13);
    expect(await findFirstSeq(id, minuteTime(19))).toBe(19);
  });
});
