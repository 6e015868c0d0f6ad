import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type Figure, median, percentile } from '../figures.ts';
import { dayAt, type Viewer } from './seed-messages.ts';

const LIMIT_MS = 50;
const RUNS = 30;
const PAGE_SIZE = 20;

/** Ranks of words: 1 is the most common one. */
const COMMON_RANKS = [1, 2, 3, 4, 5];
const USUAL_RANKS = [80, 150, 300, 600, 1_200];
const RARE_RANKS = [9_500, 12_000, 20_000, 30_000, 45_000];

type Words = { common: string[]; usual: string[]; rare: string[]; phrases: string[]; commonPhrases: string[] };

async function readVocabulary(db: Db): Promise<Words> {
  const { rows } = await db.query<{ rank: number; word: string }>(
    'select rank, word from bench_words where rank = any($1)',
    [[...COMMON_RANKS, ...USUAL_RANKS, ...RARE_RANKS]],
  );
  const wordOf = (rank: number) => rows.find((row) => row.rank === rank)?.word ?? '';
  const listPhrases = async (condition: string) => {
    const { rows: phrases } = await db.query<{ phrase: string }>(
      `select phrase from bench_phrases where ${condition} order by number limit 10`,
    );
    return phrases.map(({ phrase }) => phrase.split(' ').slice(0, 3).join(' '));
  };
  return {
    common: COMMON_RANKS.map(wordOf),
    usual: USUAL_RANKS.map(wordOf),
    rare: RARE_RANKS.map(wordOf),
    phrases: await listPhrases('true'),
    // The 60 most common words have at most three letters.
    commonPhrases: await listPhrases("phrase ~ '^\\w{2,3} \\w{2,3} \\w{2,3}( |$)'"),
  };
}

const chooseIn = (values: readonly string[], run: number) => values[run % values.length] ?? '';

/** Queries by kind, for each run. */
const KINDS: Record<string, (words: Words, run: number) => string> = {
  'the most common word': ({ common }) => `"${common[0]}"`,
  'common words': ({ common }, run) => chooseIn(common, run),
  'usual words': ({ usual }, run) => `"${chooseIn(usual, run)}"`,
  'rare words': ({ rare }, run) => chooseIn(rare, run),
  'a word that nobody wrote': () => 'xyzzy',
  'two letters of common words': ({ common }, run) => chooseIn(common, run).slice(0, 2),
  'two letters of rare words': ({ rare }, run) => chooseIn(rare, run).slice(0, 2),
  'two usual words': ({ usual }, run) => `"${chooseIn(usual, run)}" "${chooseIn(usual, run + 1)}"`,
  'two rare words': ({ rare }, run) => `${chooseIn(rare, run)} ${chooseIn(rare, run + 1)}`,
  'a common and a rare word': ({ common, rare }, run) => `${chooseIn(common, run)} ${chooseIn(rare, run)}`,
  'a phrase': ({ phrases }, run) => `"${chooseIn(phrases, run)}"`,
  'a phrase of common words': ({ commonPhrases }, run) => `"${chooseIn(commonPhrases, run)}"`,
  'a word of one sender': ({ usual }, run) => `"${chooseIn(usual, run)}" from:${senderId(1 + run * 7)}`,
  'one rare sender': (_words, run) => `from:${senderId(1900 + run)}`,
  'a word before a day': ({ usual }, run) => `"${chooseIn(usual, run)}" before:${dayAt(0.3)}`,
  'messages with files': () => 'has:file',
  'a word, not another': ({ common, usual }, run) => `"${chooseIn(usual, run)}" -${common[0]}`,
  'a day': () => `on:${dayAt(0.5)}`,
};

const senderId = (number: number) => number.toString(16).padStart(24, '0');

type Target = {
  /** Of the service. */
  url: string;
  token: string;
};

/** Returns the number of results on the first page. */
async function search({ url, token }: Target, query: string): Promise<number> {
  const response = await fetch(`${url}/api/chat/search?${new URLSearchParams({ q: query, limit: `${PAGE_SIZE}` })}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`The search for ${query} failed: ${await response.text()}`);
  return ((await response.json()) as { data: unknown[] }).data.length;
}

type Options = Target & { viewer: Viewer; print: (line: string) => void };

/** Measures every kind of query, for a user with 500 conversations. */
export async function measureSearch(db: Db, { viewer, print, ...target }: Options): Promise<Figure[]> {
  const words = await readVocabulary(db);
  const figures: Figure[] = [];
  for (const [kind, toQuery] of Object.entries(KINDS)) {
    const times: number[] = [];
    let found = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = performance.now();
      found += await search(target, toQuery(words, run));
      times.push(performance.now() - startedAt);
    }
    const detail = `p50 ${median(times).toFixed(1)} ms, ${(found / RUNS).toFixed(1)} results, in the ${viewer} conversations`;
    print(`  ${kind}: p95 ${percentile(times, 0.95).toFixed(1)} ms, ${detail}`);
    figures.push({
      name: `p95 of a search: ${kind}`,
      value: percentile(times, 0.95),
      unit: ' ms',
      limit: LIMIT_MS,
      sense: 'at most',
      detail,
    });
  }
  return figures;
}
