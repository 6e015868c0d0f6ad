import { parseMessageQuery } from '@atrium/proto-events/text/message-query';
import { matchesTexts, toNeedle } from '@atrium/proto-events/text/message-terms';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findMessages } from '../src/search/find-messages.ts';
import { indexBatch } from '../src/search/index-messages.ts';
import { buildConditions } from '../src/search/search-conditions.ts';
import { toPeriod } from '../src/search/search-document.ts';
import { findIndexed } from '../src/search/search-repository.ts';
import { createGroup } from './factories.ts';
import { people, service } from './running-chat.ts';

const MESSAGES = 300;

const WORDS = [
  'plan',
  'planet',
  'pla',
  'a',
  'Straße',
  'strasse',
  'Đà',
  'da',
  'שלום',
  'שָׁלוֹם',
  '漢字',
  '漢',
  '字漢',
  '検索の',
  'ｶﾅ',
  '10:30',
];
const SEPARATORS = [' ', '  ', '\n', '-', '、', ', ', '"', '_', '.', ''];

const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SEPARATORS)), { minLength: 1, maxLength: 8 })
  .map((pairs) => pairs.flat().join(''));
const queryPart = fc
  .tuple(
    fc.constantFrom('', '', '', '-'),
    fc.boolean(),
    fc.array(fc.constantFrom(...WORDS, 'pl', 'st', '字'), { minLength: 1, maxLength: 3 }),
  )
  .map(([sign, isQuoted, words]) => sign + (isQuoted ? `"${words.join(' ')}"` : (words[0] ?? '')));
const query = fc.array(queryPart, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));

let db: Db;
const contents = new Map<string, string>();

beforeAll(async () => {
  db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
  const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
  for (const content of fc.sample(text, { numRuns: MESSAGES, seed: 31 })) contents.set(newId(), content);
  await db.query(
    `insert into messages (conversation_id, seq, message_id, sender_id, content, type)
     select $1, n, id, $2, content, 'text' from unnest($3::text[], $4::text[]) with ordinality as m (id, content, n)`,
    [conversation, people.member._id, [...contents.keys()], [...contents.values()]],
  );
  // The service may enter some of them.
  while ((await db.query('select from search_queue limit 1')).rows.length > 0) await db.transaction(indexBatch);
});
afterAll(() => db.pool.end());

describe('a search in SQL', () => {
  it('finds what the function finds, by reading and by the index', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (q) => {
        const parts = parseMessageQuery(q);
        if (!parts.some((part) => part.kind === 'text' && toNeedle(part))) return;
        const expected = [...contents].filter(([, content]) => matchesTexts([content], parts)).map(([id]) => id);
        const none = { included: undefined, excluded: [] };
        const conditions = buildConditions({
          parts,
          viewerId: people.ben._id,
          timeZone: 'UTC',
          senders: none,
          conversations: none,
        });
        const page = { before: undefined, limit: MESSAGES };
        const scanned = await findMessages(db, conditions, page);
        const keys = conditions.indexed.map((condition) => condition.keys);
        const indexed = await findIndexed(db, conditions, {
          ...page,
          maxCounted: MESSAGES,
          keys,
          periods: [toPeriod(new Date())],
        });
        const idsOf = (rows: readonly { message_id: string }[]) => rows.map(({ message_id }) => message_id).sort();
        expect({ q, scanned: idsOf(scanned.found), indexed: idsOf(indexed.found) }).toEqual({
          q,
          scanned: expected.sort(),
          indexed: expected.sort(),
        });
      }),
      { numRuns: 300 },
    );
  });
});
