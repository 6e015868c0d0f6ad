import type { TextQuery } from '@atrium/proto-events/text/text-query';
import { COUNT_LIMIT, needleCondition, searchTotal } from './find-page.ts';
import type { Db, Queryable } from './postgres.ts';
import type { SearchFilter } from './search-filters.ts';

/** How a statement finds and orders its rows. */
export type TextConditions = {
  /** Whether a search text (`search_text`) matches. Without `name`, the expression of its name, it has no similar names. */
  matches(text: string, name?: string): string;
  /** The conditions of the operators of the query. */
  filters(): string;
  /** Orders words of names before parts of them, and these before other texts; more similar names first. */
  rank(name: string): string;
  /** Limits the matches to rank: those that are counted or, of more, the first ones of the order. */
  window(orderBy: string): string;
  /** The table as `alias`, or its newest rows if these are searched first. */
  from(table: string, alias: string): string;
  /** Adds a parameter to the statement. */
  bind(value: unknown): string;
};

export type TextSearch = {
  query: TextQuery | undefined;
  /** That of the operators of the query; undefined if one of them does not apply. */
  filter: SearchFilter | undefined;
  /** The order in which an index has the rows of a large table, which `from` reads. */
  newestFirst?: string;
  /** Cancels the statement. */
  signal: AbortSignal;
};

/** `isSimilar`: the names are similar to the query, because no text contains it. */
type Found<Row> = { rows: Row[]; total: number; more: boolean; isSimilar: boolean };

/** More than clients wait for: a statement that takes longer is of no use. */
export const SEARCH_STATEMENT_TIMEOUT_MS = 500;

/** As many matches as are counted. */
export const MATCH_LIMIT = `limit ${COUNT_LIMIT}`;
/** Of more matches than are counted, the first ones are ranked. */
const RANKED_LIMIT = 100;

/** The newest rows of a large table, and how many matches among them show that there are more than are useful. */
const NEWEST_ROWS = 2_000;
const COMMON_MATCHES = 30;
/** In a smaller table, counting all matches of a word takes less time. */
const LARGE_TABLE_ROWS = 100_000;

/** Of similar names, which are compared one by one. */
const SIMILAR_LIMIT = 200;

/**
 * Runs a statement whose rows have the number of matches in its window (`n`). If there are more than are counted, runs it
 * again for the first ones. Of a large table, searches the newest rows before: a word that is common among them has too
 * many matches to read them all. If nothing matches, runs the statement again for similar names, which tolerates typos;
 * without `pg_trgm`, there are none.
 */
export async function searchTexts<Row extends { n: number }>(
  db: Db,
  { query, filter, newestFirst, signal }: TextSearch,
  build: (conditions: TextConditions) => string,
): Promise<Found<Row>> {
  if (query === undefined || filter === undefined) return { rows: [], total: 0, more: false, isSimilar: false };
  const read = async (tx: Queryable): Promise<Found<Row>> => {
    const run = async (mode: Mode) => {
      const rows = await select<Row>(tx, build, modeConditions({ query, filter, newestFirst }, mode));
      const { total, hasMore } = searchTotal(rows[0]?.n ?? 0);
      return { rows, total, more: hasMore, isSimilar: mode === 'similar' };
    };
    if (newestFirst !== undefined) {
      const newest = await run('newest');
      if (newest.total >= COMMON_MATCHES) return { ...newest, more: true };
    }
    const all = await run('all');
    if (all.more) return { ...all, rows: (await run('frequent')).rows };
    return all.rows.length > 0 || !(await hasTrigrams(tx, query)) ? all : run('similar');
  };
  return db.readWithin(SEARCH_STATEMENT_TIMEOUT_MS, read, signal);
}

type Mode = 'newest' | 'all' | 'frequent' | 'similar';
type BoundConditions = { conditions: TextConditions; values: unknown[] };
type Parsed = { query: TextQuery; filter: SearchFilter; newestFirst: string | undefined };

function modeConditions({ query, filter, newestFirst }: Parsed, mode: Mode): BoundConditions {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const window = (orderBy: string) => {
    if (mode === 'frequent') return `order by ${orderBy} limit ${RANKED_LIMIT}`;
    return mode === 'similar' ? `limit ${SIMILAR_LIMIT}` : MATCH_LIMIT;
  };
  const from = (table: string, alias: string) =>
    mode === 'newest' ? `${selectNewest(table, newestFirst)} ${alias}` : `${table} ${alias}`;
  const filters = () => filter(bind);
  return { conditions: { ...matchConditions(query, mode, bind), filters, window, from, bind }, values };
}

const selectNewest = (table: string, orderBy = '') =>
  `(select * from ${table} where (select reltuples from pg_class where oid = '${table}'::regclass) >= ${LARGE_TABLE_ROWS}
    order by ${orderBy} limit ${NEWEST_ROWS})`;

function matchConditions(query: TextQuery, mode: Mode, bind: Bind): Matching {
  if (mode === 'similar') return similarConditions(query, bind);
  const { matches, rank } = exactConditions(query, bind);
  // The newest rows are those of one table, which has the names.
  return { rank, matches: (text, name) => (mode === 'newest' && name === undefined ? 'false' : matches(text)) };
}

async function select<Row extends { n: number }>(
  tx: Queryable,
  build: (conditions: TextConditions) => string,
  { conditions, values }: BoundConditions,
): Promise<Row[]> {
  return (await tx.query<Row>(build(conditions), values)).rows;
}

type Bind = TextConditions['bind'];
type Matching = Pick<TextConditions, 'matches' | 'rank'>;

function exactConditions({ needles, excluded }: TextQuery, bind: Bind): Matching {
  const contains = (text: string) => needles.map((needle) => needleCondition(text, needle, bind)).join(' and ');
  const containsFromStart = (text: string) =>
    needles.map((needle) => needleCondition(text, ` ${needle.trimStart()}`, bind)).join(' and ');
  return {
    matches: (text) => [contains(text), ...excludes(text, excluded, bind)].join(' and '),
    rank: (name) => `(${containsFromStart(name)}) desc, (${contains(name)}) desc`,
  };
}

/** Shorter words have too many similar ones. */
const MIN_SIMILAR_LENGTH = 4;
/** Share of the trigrams of a word that a similar one has. With a wrong letter, a word of five letters has three of six. */
const MIN_SIMILARITY = 0.5;
/** With a wrong letter, a word of four letters has two of five. */
const MIN_SHORT_SIMILARITY = 0.4;

function similarConditions({ terms, excluded }: TextQuery, bind: Bind): Matching {
  const isSimilar = (name: string) =>
    terms
      .map(({ word, isSpaceless }) =>
        isSpaceless || word.length < MIN_SIMILAR_LENGTH
          ? needleCondition(name, ` ${word}`, bind)
          : `(${[`${bind(word)} <% ${name}`, ...transpositions(word).map((other) => needleCondition(name, ` ${other}`, bind))].join(' or ')})`,
      )
      .join(' and ');
  return {
    matches: (text, name) =>
      name === undefined ? 'false' : [isSimilar(name), ...excludes(text, excluded, bind)].join(' and '),
    rank: (name) => `word_similarity(${bind(terms.map(({ word }) => word).join(' '))}, ${name}) desc`,
  };
}

const excludes = (text: string, excluded: readonly string[], bind: Bind) =>
  excluded.map((needle) => `not (${needleCondition(text, needle, bind)})`);

/** Two swapped letters change most trigrams of a short word. */
function transpositions(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).map((letter, index) =>
    letters
      .with(index, letter)
      .with(index + 1, letters[index] ?? '')
      .join(''),
  );
}

/**
 * Also sets the similarity of the transaction, which the operator `<%` and its index compare with, and avoids comparing
 * each row, whose cost the planner underestimates.
 */
async function hasTrigrams(tx: Queryable, { terms }: TextQuery): Promise<boolean> {
  const hasShortWord = terms.some(({ word }) => word.length === MIN_SIMILAR_LENGTH);
  const { rows } = await tx.query(
    `select set_config('pg_trgm.word_similarity_threshold', $1, true), set_config('enable_seqscan', 'off', true)
     from pg_extension where extname = 'pg_trgm'`,
    [String(hasShortWord ? MIN_SHORT_SIMILARITY : MIN_SIMILARITY)],
  );
  return rows.length > 0;
}
