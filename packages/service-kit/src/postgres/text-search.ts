import type { TextQuery } from '@atrium/proto-events/text/text-query';
import { isStatementTimeout } from './database-errors.ts';
import { COUNT_LIMIT, needleCondition, searchTotal } from './find-page.ts';
import type { Db, Queryable } from './postgres.ts';
import type { SearchFilter } from './search-filters.ts';

/** How a statement finds and orders its rows. */
export type TextConditions = {
  /**
   * Whether a search text (`search_text`) matches. Only one with a `name`, the expression of its name, has similar names,
   * and is found by operators alone.
   */
  matches(text: string, name?: string): string;
  /** The conditions of the operators of the query. */
  filters(): string;
  /** Orders words of names before parts of them, and these before other texts; more similar names first; others by `orderBy`. */
  rank(name: string, orderBy: string): string;
  /** Limits the matches to rank: those that are counted or, of more and of those of operators alone, the first ones of the order. */
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
  /** The table with the names, if it can be large, and the order in which an index has its rows, which `from` reads. */
  largeTable?: LargeTable;
  /** Cancels the statement. */
  signal: AbortSignal;
};

type LargeTable = { name: string; newestFirst: string };

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
const COMMON_MATCHES = 20;
/** In a smaller table, counting all matches of a word takes less time. */
const LARGE_TABLE_ROWS = 100_000;

/** Of similar names, which are compared one by one. */
const SIMILAR_LIMIT = 200;
/** In a large table, comparing all names that have half of the trigrams of a word can take too long. */
const LARGE_TABLE_SIMILAR_TIMEOUT_MS = 75;

/**
 * Runs a statement whose rows have the number of matches in its window (`n`). If there are more than are counted, runs it
 * again for the first ones. Of a large table, searches the newest rows before: a word that is common among them has too
 * many matches to read them all. If nothing matches, runs the statement again for similar names, which tolerates typos;
 * without `pg_trgm`, or if comparing them takes too long, there are none. Operators alone find the first rows of the order.
 */
export async function searchTexts<Row extends { n: number }>(
  db: Db,
  { query, filter, largeTable, signal }: TextSearch,
  build: (conditions: TextConditions) => string,
): Promise<Found<Row>> {
  if (query === undefined || filter === undefined) return NOTHING;
  const run = async (tx: Queryable, mode: Mode): Promise<Found<Row>> => {
    const rows = await select<Row>(tx, build, modeConditions({ query, filter, largeTable }, mode));
    const { total, hasMore } = searchTotal(rows[0]?.n ?? 0);
    return { rows, total, more: hasMore, isSimilar: mode === 'similar' };
  };
  const readMatches = async (tx: Queryable) => {
    if (query.needles.length === 0) return run(tx, 'listed');
    if (largeTable !== undefined) {
      const newest = await run(tx, 'newest');
      if (newest.total >= COMMON_MATCHES) return { ...newest, more: true };
    }
    const all = await run(tx, 'all');
    if (!all.more) return all;
    if (largeTable !== undefined) await avoidOrderedScans(tx, largeTable);
    return { ...all, rows: (await run(tx, 'frequent')).rows };
  };
  const readSimilar = async (tx: Queryable) =>
    (await prepareSimilar(tx, query, largeTable)) ? run(tx, 'similar') : NOTHING;
  const found = await db.readWithin(SEARCH_STATEMENT_TIMEOUT_MS, readMatches, signal);
  if (found.rows.length > 0 || query.terms.length === 0) return found;
  return db.readWithin(SEARCH_STATEMENT_TIMEOUT_MS, readSimilar, signal).catch((error) => {
    if (isStatementTimeout(error)) return NOTHING;
    throw error;
  });
}

const NOTHING = { rows: [], total: 0, more: false, isSimilar: false };

type Mode = 'newest' | 'all' | 'frequent' | 'similar' | 'listed';
type BoundConditions = { conditions: TextConditions; values: unknown[] };
type Parsed = { query: TextQuery; filter: SearchFilter; largeTable: LargeTable | undefined };

function modeConditions({ query, filter, largeTable }: Parsed, mode: Mode): BoundConditions {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const window = (orderBy: string) => {
    if (mode === 'frequent') return `order by ${orderBy} limit ${RANKED_LIMIT}`;
    if (mode === 'listed') return `order by ${orderBy} ${MATCH_LIMIT}`;
    return mode === 'similar' ? `limit ${SIMILAR_LIMIT}` : MATCH_LIMIT;
  };
  const from = (table: string, alias: string) =>
    `${mode === 'newest' && largeTable ? selectNewest(largeTable) : table} ${alias}`;
  const filters = () => filter(bind);
  return { conditions: { ...matchConditions(query, mode, bind), filters, window, from, bind }, values };
}

const isLarge = ({ name }: LargeTable) =>
  `(select reltuples from pg_class where oid = '${name}'::regclass) >= ${LARGE_TABLE_ROWS}`;

/**
 * Common words have been found in the newest rows, so the first matches of others are far apart. The planner, which assumes
 * that they are as frequent at the beginning of an index, would read tens of thousands of rows in order.
 */
const avoidOrderedScans = (tx: Queryable, table: LargeTable) =>
  tx.query(`select set_config('enable_indexscan', 'off', true) where ${isLarge(table)}`);

const selectNewest = (table: LargeTable) =>
  `(select * from ${table.name} where ${isLarge(table)} order by ${table.newestFirst} limit ${NEWEST_ROWS})`;

function matchConditions(query: TextQuery, mode: Mode, bind: Bind): Matching {
  if (mode === 'similar') return similarConditions(query, bind);
  const { matches, rank } = exactConditions(query, bind);
  // The newest rows, and those that operators list, are those of one table, which has the names.
  const isOneTable = mode === 'newest' || mode === 'listed';
  return { rank, matches: (text, name) => (isOneTable && name === undefined ? 'false' : matches(text)) };
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
    matches: (text) => [contains(text), ...excludes(text, excluded, bind)].filter(Boolean).join(' and ') || 'true',
    rank: (name, orderBy) =>
      needles.length === 0 ? orderBy : `(${containsFromStart(name)}) desc, (${contains(name)}) desc, ${orderBy}`,
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
    rank: (name, orderBy) =>
      `word_similarity(${bind(terms.map(({ word }) => word).join(' '))}, ${name}) desc, ${orderBy}`,
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
 * Sets the similarity of the transaction, which the operator `<%` and its index compare with, and its time. Avoids
 * comparing each row, whose cost the planner underestimates. Returns whether names can be compared.
 */
async function prepareSimilar(
  tx: Queryable,
  { terms }: TextQuery,
  largeTable: LargeTable | undefined,
): Promise<boolean> {
  const hasShortWord = terms.some(({ word }) => word.length === MIN_SIMILAR_LENGTH);
  const { rows } = await tx.query(
    `select set_config('pg_trgm.word_similarity_threshold', $1, true), set_config('enable_seqscan', 'off', true),
       case when ${largeTable ? isLarge(largeTable) : 'false'} then set_config('statement_timeout', $2, true) end
     from pg_extension where extname = 'pg_trgm'`,
    [String(hasShortWord ? MIN_SHORT_SIMILARITY : MIN_SIMILARITY), String(LARGE_TABLE_SIMILAR_TIMEOUT_MS)],
  );
  return rows.length > 0;
}
