import { uniqueKey } from '@atrium/proto-events/text/fold';
import { toSearchText } from '@atrium/proto-events/text/search';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quiet } from '../pods.ts';

/**
 * Matches code points outside Unicode 15.0, which the oldest supported PostgreSQL knows, and private-use and unstorable
 * ones.
 */
const UNSUPPORTED = /[\p{Cn}\p{Co}\p{Cs}\0]/u;
const CHARACTERS = Array.from({ length: 0x3_0000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint >> 11 !== 27)
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => !UNSUPPORTED.test(character))
  .filter((character, index) => !/[\p{sc=Han}\p{sc=Hangul}\p{sc=Tangut}\p{So}]/u.test(character) || index % 40 === 0)
  // Decomposed only since Unicode 17.
  .filter((character) => character !== '\ua7f1');

let db: Db;
beforeAll(async () => {
  const url = await testDatabase('search-text');
  await migrate(url, new URL('../migrations', import.meta.url));
  db = createDb(url, 1, quiet);
});
afterAll(() => db.pool.end());

async function computeInSql(texts: string[]) {
  const { rows } = await db.query<{ searched: string; key: string }>(
    'select search_text(t) as searched, unique_key(t) as key from unnest($1::text[]) with ordinality as input (t, n) order by n',
    [texts],
  );
  return rows.map(({ searched, key }, index) => ({ text: texts[index], searched, key }));
}

const computeInTypeScript = (texts: string[]) =>
  texts.map((text) => ({ text, searched: toSearchText(text), key: uniqueKey(text) }));

async function findDifferences(texts: string[]) {
  const expected = computeInTypeScript(texts);
  return (await computeInSql(texts))
    .map((row, index) => [row, expected[index]] as const)
    .filter(([row, expectedRow]) => row.searched !== expectedRow?.searched || row.key !== expectedRow.key);
}

describe('the SQL functions for searches and unique names', () => {
  it('match TypeScript for every character', async () => {
    const words = CHARACTERS.map((character) => `a${character}b`);
    const chunks = Array.from({ length: Math.ceil(words.length / 50) }, (_, index) =>
      words.slice(index * 50, index * 50 + 50).join(' '),
    );
    for (let index = 0; index < chunks.length; index += 100) {
      expect(await findDifferences(chunks.slice(index, index + 100))).toEqual([]);
    }
  });

  it('match TypeScript for random text', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'Straße',
        'İZMİR',
        'ΟΔΟΣ',
        'ﬁ',
        '한글',
        '東京都',
        'ｶﾞｯｺｳ',
        '100%',
        "o'Brien",
        'e\u0301',
        '  ',
        '\u00a0',
        'a\u00adb',
        'ก\u0e49\u200d\u0e39ดี',
        'कुल की क़',
        'അവൻ',
        'ကါ',
        'ৎ',
        '🎉',
      ),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }).map((text) => text.replace(new RegExp(UNSUPPORTED, 'gu'), '')),
    );
    const texts = fc.sample(
      fc.array(word, { maxLength: 6 }).map((words) => words.join(' ').normalize('NFC')),
      { numRuns: 2_000, seed: 1 },
    );
    expect(await findDifferences(texts)).toEqual([]);
  });
});
