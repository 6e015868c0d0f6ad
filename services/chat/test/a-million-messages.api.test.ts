import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { moveWatermark } from '../src/conversations/mark-read.ts';
import { findFirstSince } from '../src/messages/list-messages.ts';
import { findConversation, listConversationRows } from '../src/model/conversation-repository.ts';
import { listChangedRows, listMessageRows } from '../src/model/message-repository.ts';
import { findReadState, listUnread } from '../src/model/participant-repository.ts';
import { createGroup, request } from './factories.ts';
import { people, service } from './running-chat.ts';

const MILLION = 1_000_000;
const START = Date.UTC(2020, 0, 1);
/** Allows for the additional levels of larger indexes, of which some statements use several. */
const LEVELS = 40;

let db: pg.Client;
let million: string;
let ten: string;

beforeAll(async () => {
  db = new pg.Client({ connectionString: service.env.DATABASE_URL });
  await db.connect();
  [million, ten] = [await createConversation(MILLION), await createConversation(10)];
  await db.query('analyze messages, participants, conversations');
});
afterAll(() => db.end());

/** One message per minute, sent by Mia and not read by Ben. */
async function createConversation(count: number): Promise<string> {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  await db.query(
    `insert into messages (conversation_id, seq, message_id, sender_id, content, type, created_at)
     select $1, n, lpad(to_hex(n), 24, '0'), $2, 'x', 'text', $3::timestamptz + n * interval '1 minute' from generate_series(1, $4::int) n`,
    [_id, people.member._id, new Date(START), count],
  );
  await db.query('update conversations set last_seq = $2 where conversation_id = $1', [_id, count]);
  return _id;
}

/** The number of database pages that the statements of `work` read. */
async function pagesOf(work: (db: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const explaining: Queryable = {
    async query<Row extends pg.QueryResultRow>(query: string | pg.QueryConfig, defaultValues?: unknown[]) {
      const { text, values = defaultValues } = typeof query === 'string' ? { text: query } : query;
      await db.query('begin');
      const explained = await db.query(`explain (analyze, buffers, format json) ${text}`, values);
      await db.query('rollback');
      const { Plan: plan } = explained.rows[0]['QUERY PLAN'][0];
      pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return db.query<Row>(text, values);
    },
  };
  await work(explaining);
  return pages;
}

describe('a conversation of a million messages, all unread', () => {
  it.each<[string, (db: Queryable, id: string, last: number) => Promise<unknown>]>([
    ['its newest page', (on, id) => listMessageRows(on, id, { limit: 101 })],
    ['the page at the first unread', (on, id) => listMessageRows(on, id, { limit: 101, after: 0 })],
    ['a page in the middle', (on, id, last) => listMessageRows(on, id, { limit: 101, before: Math.ceil(last / 2) })],
    ['the changed messages', (on, id) => listChangedRows(on, id, { changedAfter: 0, limit: 101 })],
    ['the conversation', (on, id) => findConversation(on, id, people.ben._id)],
    ['its unread count', (on, id) => findReadState(on, id, people.ben._id)],
    ['all unread counts', (on) => listUnread(on, people.ben._id, 500)],
    ['the list', (on) => listConversationRows(on, people.ben._id, { limit: 100, offset: 0, maxParticipants: 6 })],
    [
      'marking half of it as read',
      (on, id, last) => moveWatermark(on, { conversationId: id, userId: people.ben._id, seq: Math.ceil(last / 2) }),
    ],
    [
      'marking the rest as read',
      (on, id) => moveWatermark(on, { conversationId: id, userId: people.ben._id, seq: undefined }),
    ],
    [
      'the first message of a day',
      (on, id, last) => findFirstSince(on, id, new Date(START + last * 30_000).toISOString()),
    ],
  ])('reads as few database pages as one of ten messages: %s', async (_what, work) => {
    const small = await pagesOf((on) => work(on, ten, 10));
    const large = await pagesOf((on) => work(on, million, MILLION));
    expect(large).toBeLessThanOrEqual(small + 101 + LEVELS);
  });
});

describe('GET /chat/messages?from=', () => {
  const first = async (id: string, from: string) =>
    (
      await request<{ data: { seq: number }[] }>(service, people.ben, [
        'GET',
        `/chat/messages?conversation=${id}&limit=1&from=${encodeURIComponent(from)}`,
      ])
    ).data[0]?.seq;
  const minute = (n: number, ms = 0) => new Date(START + n * 60_000 + ms).toISOString();

  it('finds the first message at or after a time, wherever it is', async () => {
    for (const n of [1, 2, 499_999, 765_432, 999_999, MILLION]) {
      expect(await first(million, minute(n))).toBe(n);
      expect(await first(million, minute(n, -1))).toBe(n);
      expect(await first(million, minute(n, 1))).toBe(n === MILLION ? undefined : n + 1);
    }
    expect(await first(million, '0001-01-01T00:00:00Z')).toBe(1);
    expect(await first(million, '2020-01-01T02:05:00+02:00')).toBe(5);
    expect(await first(ten, minute(11))).toBeUndefined();
  });

  it('returns the page from that message on', async () => {
    const { data } = await request<{ data: { seq: number }[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${million}&limit=3&from=${minute(500)}`,
    ]);
    expect(data.map(({ seq }) => seq)).toEqual([500, 501, 502]);
  });

  it('rejects an invalid time with 400 and non-participants with 404', async () => {
    const call = (from: string, as: (typeof people)['ben']) =>
      service.call('GET', `/chat/messages?conversation=${ten}&from=${from}`, { as });
    for (const from of ['', 'yesterday', '2020-13-01T00:00:00Z', '2020-01-01'])
      expect([from, (await call(from, people.ben)).status]).toEqual([from, 400]);
    expect((await call(minute(1), people.stranger)).status).toBe(404);
  });

  it('finds the next message when seqs are missing', async () => {
    const id = await createConversation(20);
    await db.query('delete from messages where conversation_id = $1 and seq in (10, 11, 12)', [id]);
    expect(await first(id, minute(9))).toBe(9);
    expect(await first(id, minute(11))).toBe(13);
    expect(await first(id, minute(19))).toBe(19);
  });
});
