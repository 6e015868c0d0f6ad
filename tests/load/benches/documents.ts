import { loadavg } from 'node:os';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { seedDocuments } from '@atrium/tools/seed/seed-documents';
import { type Chance, createSeededRandom } from '@atrium/tools/seed/seeded-random';
import { startDocumentWriters } from '../documents-writers.ts';
import { type Figure, median, note, percentile, type TimesByName } from '../figures.ts';
import type { World } from '../load-environment.ts';

const DOCUMENTS = 100_000;
const TEAMS = 50;
const CALLS = 40;
const SEARCHES = 150;
const PAGES = 5;
/** On two cores, which the writers, the reading of texts and who asks share; the median of each is below 50. */
const MOST_MS = 100;
/** Index of an administrator, and of somebody who may read about a third. */
const READERS = { admin: 0, member: 100 };

const SORTS = ['createdAt', 'name', 'size'] as const;

/**
 * What the first five pages of the hub take in each order and with each filter, and any search of three letters, of which none was
 * searched for before, while others write and the texts of what they upload are read.
 */
export async function benchDocuments(world: World): Promise<Figure[]> {
  const documents = await world.startService('documents');
  const database = world.databaseUrl('documents');
  const began = performance.now();
  await seed(world, database);
  world.print(`  ${DOCUMENTS} documents are there after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const filters = await filtersOf(world, database);
  const times: TimesByName = {};
  const writes: TimesByName = {};
  const writers = startDocumentWriters({ url: documents.url, tokenOf: world.tokenOf, people: world.people }, writes);
  try {
    for (const [who, index] of Object.entries(READERS)) {
      const ask = asker(documents.url, await world.tokenOf(index));
      const words = threeLetters(await textsOf(database), createSeededRandom(index + 7));
      for (const sortBy of SORTS) {
        for (const [what, filter] of Object.entries(filters))
          for (let call = 0; call < CALLS; call += 1) {
            const query = `${filter}&sortBy=${sortBy}&sortOrder=${call % 2 === 0 ? 'asc' : 'desc'}&page=${1 + (call % PAGES)}`;
            note(times, `${who}: by ${sortBy}, ${what}`, await ask.list(query));
          }
        for (let call = 0; call < SEARCHES; call += 1)
          note(
            times,
            `${who}: by ${sortBy}, a search of three letters`,
            await ask.list(`search=${encodeURIComponent(words())}&sortBy=${sortBy}`),
          );
      }
      for (let call = 0; call < CALLS; call += 1) note(times, `${who}: the figures`, await ask.figures());
    }
  } finally {
    await writers.stop();
    await documents.stop();
  }
  world.print(
    `  load average ${loadavg()
      .map((one) => one.toFixed(1))
      .join(', ')}`,
  );
  return [
    ...Object.entries(times).map(([what, taken]) => figureOf(what, taken, MOST_MS)),
    ...Object.entries(writes).map(([what, taken]) => figureOf(`${what}, meanwhile`, taken, null)),
  ];
}

const figureOf = (what: string, taken: number[], limit: number | null): Figure => ({
  what,
  value: percentile(taken, 0.95),
  unit: ' ms',
  limit,
  sense: 'at most',
  detail: `95th percentile of ${taken.length}; ${median(taken).toFixed(1)} ms at the median, ${Math.max(...taken).toFixed(0)} at most`,
});

function asker(url: string, token: string) {
  const ask = (path: string) => timed(url, token, `/api/documents${path}`);
  return {
    // As many as a page of the hub has.
    list: (query: string) => ask(`?limit=48&link=false&${query}`),
    figures: () => ask('/stats'),
  };
}

async function timed(url: string, token: string, path: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - began;
}

/** By an earlier bench, whose writers may have left some. */
async function seed({ people }: World, database: string): Promise<void> {
  const [there] = await queryDatabase(database, 'select count(*) as n from all_documents');
  if (Number(there?.n) >= DOCUMENTS) return;
  const ids = people.map(({ _id }) => _id);
  const teams = Array.from({ length: TEAMS }, (_, team) => ({
    id: (team + 1).toString(16).padStart(24, 'a'),
    people: ids.slice(team * 4, team * 4 + 8),
  }));
  await seedDocuments(database, { people: ids.map((id) => ({ id })), teams, count: DOCUMENTS });
}

/** What is frequent and what is rare. */
async function filtersOf({ people }: World, database: string): Promise<Record<string, string>> {
  const of = async (column: string, offset: number) =>
    (
      await queryDatabase(
        database,
        `select ${column} as id from documents where ${column} is not null group by 1 order by count(*) desc limit 1 offset ${offset}`,
      )
    )[0]?.id;
  return {
    'without a filter': '',
    'one of many kinds': 'kind=pdf',
    'a rare kind': 'kind=audio',
    'several kinds': 'kind=image,video,audio',
    private: 'visibility=private',
    public: 'visibility=public',
    'the busiest uploader': `uploadedBy=${await of('uploaded_by', 0)}`,
    'some uploader': `uploadedBy=${people[READERS.member]?._id}`,
    'the largest project': `project=${await of('project_id', 0)}`,
    'some project': `project=${await of('project_id', 30)}`,
    'a frequent tag': 'tag=draft',
    'a tag of none': 'tag=nothing',
  };
}

async function textsOf(database: string): Promise<string[]> {
  const rows = await queryDatabase(
    database,
    `select name || ' ' || description || ' ' || left(coalesce(text, ''), 500) as text
     from documents d join object_texts t on t.object_key = d.object_key order by md5(d.id) limit 1000`,
  );
  return rows.map(({ text }) => String(text));
}

/** Beginnings and parts of words, and now and then what is in none; each once. */
function threeLetters(texts: readonly string[], chance: Chance): () => string {
  const asked = new Set<string>();
  const pick = () => {
    if (chance.happens(0.1))
      return Array.from({ length: 3 }, () => chance.one([...'abcdefghijklmnopqrstuvwxyz'])).join('');
    const words = chance
      .one(texts)
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? ['the'];
    const word = chance.one(words);
    const start = chance.happens(0.3) ? chance.whole(word.length - 2) : 0;
    return word.slice(start, start + 3);
  };
  return () => {
    for (;;) {
      const word = pick();
      if (asked.has(word)) continue;
      asked.add(word);
      return word;
    }
  };
}
