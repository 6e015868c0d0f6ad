import { matchesSearch, toSearchText } from '@atrium/proto-events/text/search';
import { findPage, type ListQuery } from '@atrium/service-kit/postgres/find-page';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';

const resources = closeAfterEach();
const ROWS = 400;
const SEARCHES = 300;
/** Words of several scripts, patterns of `like`, and separators. */
const FRAGMENTS = [
  'Invoice',
  'INV',
  'voice',
  '26',
  '7',
  'a',
  'the',
  'The',
  'and',
  'Größe',
  'ΟΔΟΣ',
  'İstanbul',
  '会议',
  '100%',
  '_',
  '\\',
  'x1y2',
];
const SEPARATORS = [' ', ' ', ' ', '', '  ', '\n', '\t', '-', ', '];

const rng = createSeededRandom(20_261_123);
const pick = <T>(items: readonly T[]): T => items[Math.floor(rng() * items.length)] as T;
const randomText = () =>
  Array.from({ length: 1 + Math.floor(rng() * 6) }, () => pick(FRAGMENTS) + pick(SEPARATORS)).join('');
function randomSearch(texts: readonly string[]): string {
  const letters = [...pick(texts)];
  const start = Math.floor(rng() * letters.length);
  const part = letters.slice(start, start + 1 + Math.floor(rng() * 12)).join('');
  return pick([part, part.toUpperCase(), part.toLowerCase(), part.normalize('NFD'), randomText()]);
}

let db: Db;
let texts: string[];
beforeEach(async () => {
  db = createDb(await testDatabase('find-page'), 1, quiet);
  resources.push({ close: () => db.pool.end() });
  await db.query('create extension if not exists pg_trgm');
  await db.query('create table things (id text primary key, place integer, kind text, search text)');
  await db.query('create index on things using gin (search gin_trgm_ops)');
  texts = Array.from({ length: ROWS }, randomText);
  await db.query(
    `insert into things select lpad(n::text, 4, '0'), n % 7, case when n % 3 = 0 then 'odd' else 'plain' end, t
     from unnest($1::text[]) with ordinality as input (t, n)`,
    [texts.map(toSearchText)],
  );
});

const buildListQuery = (text: string): ListQuery => ({
  from: 'things',
  where: { 'kind = ?': 'plain' },
  search: { column: 'search', text },
  orderBy: 'place, id',
});

describe('findPage with a search', () => {
  it.each([
    ['by the trigram index', 'off'],
    ['by scanning rows', 'on'],
  ])('%s, finds exactly the matching rows, in order', async (_plan, scans) => {
    await db.query(`set enable_seqscan = ${scans}`);
    for (let n = 0; n < SEARCHES; n += 1) {
      const text = randomSearch(texts).trim();
      if (text === '') continue;
      const numbers = texts
        .map((_, index) => index + 1)
        .filter((n) => n % 3 !== 0 && matchesSearch(texts[n - 1] ?? '', text));
      const rows = numbers
        .toSorted((a, b) => (a % 7) - (b % 7) || a - b)
        .map((n) => ({ id: String(n).padStart(4, '0') }));
      const page = 1 + Math.floor(rng() * 3);
      const result = await findPage(db, buildListQuery(text), { page, limit: 5 });
      expect({ text, ...result }).toEqual({
        text,
        ids: rows.map(({ id }) => id).slice((page - 1) * 5, page * 5),
        total: rows.length,
        hasMore: false,
        asOf: expect.any(String),
      });
    }
  });

  it('counts at most a thousand matches, and pages in list order', async () => {
    await db.query(
      `insert into things select 'm' || lpad(n::text, 5, '0'), n % 7, 'plain', ' many ' || n from generate_series(1, 1500) n`,
    );
    for (const page of [1, 2, 40]) {
      const { rows } = await db.query<{ id: string }>(
        `select id from things where kind = 'plain' and search like '%many%' order by place, id limit 10 offset $1`,
        [(page - 1) * 10],
      );
      const result = await findPage(db, buildListQuery('Many'), { page, limit: 10 });
      expect(result).toEqual({
        ids: rows.map(({ id }) => id),
        total: 1_000,
        hasMore: true,
        asOf: expect.any(String),
      });
    }
  });
});
