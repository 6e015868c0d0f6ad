import type { TextQuery } from '@atrium/proto-events/text/text-query';
import { COUNT_LIMIT, needleCondition, searchTotal } from './find-page.ts';
import type { Db, Queryable } from './postgres.ts';

/** How a statement finds and orders its rows. */
export type TextConditions = {
  /** Whether a search text (`search_text`) matches. Without `name`, the expression of its name, it has no similar names. */
  matches(text: string, name?: string): string;
  /** Orders words of names before parts of them, and these before other texts; more similar names first. */
  rank(name: string): string;
  /** Limits the matches to rank: those that are counted or, of more, the first ones of the order. */
  window(orderBy: string): string;
  /** Adds a parameter to the statement. */
  bind(value: unknown): string;
};

/** `isSimilar`: the names are similar to the query, because no text contains it. */
type Found<Row> = { rows: Row[]; total: number; more: boolean; isSimilar: boolean };

/** More than clients wait for: a statement that takes longer is of no use. */
export const SEARCH_STATEMENT_TIMEOUT_MS = 500;

/** As many matches as are counted. */
export const MATCH_LIMIT = `limit ${COUNT_LIMIT}`;
/** Of more matches than are counted, the first ones are ranked. */
const RANKED_LIMIT = 100;

/**
 * Runs a statement whose rows have the number of matches in its window (`n`). If there are more than are counted, runs it
 * again for the first ones. If nothing matches, runs it again for similar names, which tolerates typos; without
 * `pg_trgm`, there are none.
 */
export async function searchTexts<Row extends { n: number }>(
  db: Db,
  query: TextQuery | undefined,
  build: (conditions: TextConditions) => string,
): Promise<Found<Row>> {
  if (query === undefined) return { rows: [], total: 0, more: false, isSimilar: false };
  return db.readWithin(SEARCH_STATEMENT_TIMEOUT_MS, async (tx) => {
    const run = (mode: Mode) => select<Row>(tx, build, modeConditions(query, mode));
    const rows = await run('exact');
    const { total, hasMore } = searchTotal(rows[0]?.n ?? 0);
    if (hasMore) return { rows: await run('frequent'), total, more: true, isSimilar: false };
    if (rows.length > 0 || !(await hasTrigrams(tx))) return { rows, total, more: false, isSimilar: false };
    const similar = await run('similar');
    const found = searchTotal(similar[0]?.n ?? 0);
    return { rows: similar, total: found.total, more: found.hasMore, isSimilar: true };
  });
}

type Mode = 'exact' | 'frequent' | 'similar';
type BoundConditions = { conditions: TextConditions; values: unknown[] };

function modeConditions(query: TextQuery, mode: Mode): BoundConditions {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const window = (orderBy: string) => (mode === 'frequent' ? `order by ${orderBy} limit ${RANKED_LIMIT}` : MATCH_LIMIT);
  const conditions = mode === 'similar' ? similarConditions(query, bind) : exactConditions(query, bind);
  return { conditions: { ...conditions, window, bind }, values };
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
/** Share of the trigrams of a word that a similar one has. With a wrong letter, a word of four letters has two of five. */
const MIN_SIMILARITY = 0.4;

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

/** Also sets the similarity of the transaction, which the operator `<%` and its index compare with. */
async function hasTrigrams(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query(
    `select set_config('pg_trgm.word_similarity_threshold', '${MIN_SIMILARITY}', true) from pg_extension where extname = 'pg_trgm'`,
  );
  return rows.length > 0;
}
