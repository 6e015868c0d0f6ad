import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { seedDocuments } from '@atrium/tools/seed/seed-documents';
import { createSeededRandom, type SeededRandom } from '@atrium/tools/seed/seeded-random';
import { startDocumentWriters } from '../documents-writers.ts';
import { type Figure, median, percentile, recordTime, type TimesByName } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';

const DOCUMENTS = 100_000;
const TEAMS = 50;
const CALLS = 40;
const SEARCHES = 150;
const PAGES = 5;
/** Limit on two cores shared with the writers, text extraction, and the requests. Each median is below 50. */
const MAX_MS = 100;
/** Statistics read all readable documents. */
const MAX_STATISTICS_MS = 500;
const STATISTICS_CALLS = 10;
/** The service computes the statistics of a user at most once per second; later requests wait. */
const STATISTICS_PAUSE_MS = 1_100;
/** Indexes of an administrator, and of a user who can read about a third of the documents. */
const READERS = { admin: 0, member: 100 };

const STATISTICS = 'the statistics';
const SORTS = ['createdAt', 'name', 'size'] as const;

/**
 * Measures the response times of the first five pages of Document Hub in each order and with each filter, and of new
 * three-letter searches, while other users write and the text of their uploads is extracted.
 */
export async function benchDocuments(environment: LoadEnvironment): Promise<Figure[]> {
  const documents = await environment.startService('documents');
  const database = environment.databaseUrl('documents');
  const startedAt = performance.now();
  await seedLibrary(environment, database);
  environment.print(`  ${DOCUMENTS} documents seeded after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const filters = await buildFilters(environment, database);
  const timesByName: TimesByName = {};
  const writes: TimesByName = {};
  const writers = startDocumentWriters(
    { url: documents.url, tokenOf: environment.tokenOf, users: environment.users },
    writes,
  );
  try {
    for (const [reader, index] of Object.entries(READERS)) {
      const client = createReader(documents.url, await environment.tokenOf(index));
      const nextSearchTerm = createThreeLetterSearch(await readTexts(database), createSeededRandom(index + 7));
      for (const sortBy of SORTS) {
        for (const [name, filter] of Object.entries(filters))
          for (let call = 0; call < CALLS; call += 1) {
            const query = `${filter}&sortBy=${sortBy}&sortOrder=${call % 2 === 0 ? 'asc' : 'desc'}&page=${1 + (call % PAGES)}`;
            recordTime(timesByName, `${reader}: by ${sortBy}, ${name}`, await client.list(query));
          }
        for (let call = 0; call < SEARCHES; call += 1)
          recordTime(
            timesByName,
            `${reader}: by ${sortBy}, a search of three letters`,
            await client.list(`search=${encodeURIComponent(nextSearchTerm())}&sortBy=${sortBy}`),
          );
      }
      for (let call = 0; call < STATISTICS_CALLS; call += 1) {
        await delay(STATISTICS_PAUSE_MS);
        recordTime(timesByName, `${reader}: ${STATISTICS}`, await client.statistics());
      }
    }
  } finally {
    await writers.stop();
    await documents.stop();
  }
  environment.print(
    `  load average ${loadavg()
      .map((average) => average.toFixed(1))
      .join(', ')}`,
  );
  return [
    ...Object.entries(timesByName).map(([name, times]) =>
      buildFigure(name, times, name.endsWith(STATISTICS) ? MAX_STATISTICS_MS : MAX_MS),
    ),
    ...Object.entries(writes).map(([name, times]) => buildFigure(`${name}, meanwhile`, times, null)),
  ];
}

const buildFigure = (name: string, times: number[], limit: number | null): Figure => ({
  name,
  value: percentile(times, 0.95),
  unit: ' ms',
  limit,
  sense: 'at most',
  detail: `95th percentile of ${times.length}; ${median(times).toFixed(1)} ms at the median, ${Math.max(...times).toFixed(0)} at most`,
});

function createReader(url: string, token: string) {
  const measure = (path: string) => measureRequest(url, token, `/api/documents${path}`);
  return {
    // The page size of Document Hub.
    list: (query: string) => measure(`?limit=48&link=false&${query}`),
    statistics: () => measure('/stats'),
  };
}

async function measureRequest(url: string, token: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - startedAt;
}

/** Seeds the documents unless a previous bench has done so. Its writers may have left additional ones. */
export async function seedLibrary(
  { users }: Pick<LoadEnvironment, 'users'>,
  database: string,
  count = DOCUMENTS,
): Promise<void> {
  const [seeded] = await queryDatabase(database, 'select count(*) as n from all_documents');
  if (Number(seeded?.n) >= count) return;
  const ids = users.map(({ _id }) => _id);
  const teams = Array.from({ length: TEAMS }, (_, team) => ({
    id: (team + 1).toString(16).padStart(24, 'a'),
    people: ids.slice(team * 4, team * 4 + 8),
  }));
  await seedDocuments(database, { people: ids.map((id) => ({ id })), teams, count });
}

/** Returns filters for frequent and rare values. */
async function buildFilters({ users }: LoadEnvironment, database: string): Promise<Record<string, string>> {
  const valueAt = async (column: string, offset: number) =>
    (
      await queryDatabase(
        database,
        `select ${column} as id from documents where ${column} is not null group by 1 order by count(*) desc limit 1 offset ${offset}`,
      )
    )[0]?.id;
  return {
    'without a filter': '',
    'one of many file types': 'kind=pdf',
    'a rare file type': 'kind=audio',
    'several file types': 'kind=image,video,audio',
    private: 'visibility=private',
    public: 'visibility=public',
    'the busiest uploader': `uploadedBy=${await valueAt('uploaded_by', 0)}`,
    'some uploader': `uploadedBy=${users[READERS.member]?._id}`,
    'the largest project': `project=${await valueAt('project_id', 0)}`,
    'some project': `project=${await valueAt('project_id', 30)}`,
    'a frequent tag': 'tag=draft',
    'a tag without documents': 'tag=nothing',
  };
}

async function readTexts(database: string): Promise<string[]> {
  const rows = await queryDatabase(
    database,
    `select name || ' ' || description || ' ' || left(coalesce(text, ''), 500) as text
     from documents d join object_texts t on t.object_key = d.object_key order by md5(d.id) limit 1000`,
  );
  return rows.map(({ text }) => String(text));
}

/** Returns prefixes and parts of words, and occasionally a string without matches. Each is returned once. */
function createThreeLetterSearch(texts: readonly string[], random: SeededRandom): () => string {
  const used = new Set<string>();
  const pickPart = () => {
    if (random.nextBoolean(0.1))
      return Array.from({ length: 3 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');
    const words = random
      .pick(texts)
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? ['the'];
    const word = random.pick(words);
    const start = random.nextBoolean(0.3) ? random.integerBelow(word.length - 2) : 0;
    return word.slice(start, start + 3);
  };
  return () => {
    for (;;) {
      const word = pickPart();
      if (used.has(word)) continue;
      used.add(word);
      return word;
    }
  };
}
