import { searchNeedles } from '@atrium/proto-events/text/search';
import { likePattern, type Queryable } from './postgres.ts';

const MAX_COUNTED = 1_000;

/** Number of matches to read in order to know whether there are more. */
export const COUNT_LIMIT = MAX_COUNTED + 1;

export const searchTotal = (n: number) => ({ total: Math.min(n, MAX_COUNTED), hasMore: n > MAX_COUNTED });

type Conditions = Record<string, unknown>;

export type ListQuery = {
  from: string;
  where: Conditions;
  /** A search text column (`search_text`), and the text to find; undefined disables the search. */
  search: { column: string; text: string | undefined };
  orderBy: string;
};

type Page = { page: number; limit: number };

const getOffset = ({ page, limit }: Page) => (page - 1) * limit;

type FoundPage = {
  ids: string[];
  total: number;
  /** Whether there are more matches than the total. */
  hasMore: boolean;
  /** The transactions that the total includes, as text of `pg_snapshot`. */
  asOf: string;
};

/** SQL expression for `asOf` of the statement's own snapshot. */
export const AS_OF = 'pg_current_snapshot()::text';

/**
 * Matches characters from which pg_trgm extracts trigrams in every locale, also the beginning of a word. For a pattern
 * without any trigram, PostgreSQL would read the whole index.
 */
const HAS_TRIGRAM = / [a-z0-9]|[a-z0-9]{3}/;

/** Whether a search text contains a string of `searchNeedles`. */
export const needleCondition = (column: string, needle: string, parameter: (value: string) => string): string =>
  HAS_TRIGRAM.test(needle)
    ? `${column} like ${parameter(likePattern(needle))}`
    : `strpos(${column}, ${parameter(needle)}) > 0`;

/** Returns one condition per word, and none if the query has only punctuation. */
export const searchConditions = (column: string, query: string, parameter: (value: string) => string): string[] =>
  searchNeedles(query).map((needle) => needleCondition(column, needle, parameter));

/** Does not prepare the statements, since the best plan depends on the values. */
export async function findPage(db: Queryable, list: ListQuery, page: Page): Promise<FoundPage> {
  const { where, values } = bindConditions(list.where);
  if (list.search.text) return search(db, list, { query: list.search.text, page, where, values });
  // One statement, so that the page and the total are of the same time.
  const { rows } = await db.query<{ ids: string[]; n: number; as_of: string }>(
    `select array(select id from ${list.from} where ${where} ${pageWindow(list, page)}) as ids,
            (select count(*) from ${list.from} where ${where}) as n, ${AS_OF} as as_of`,
    values,
  );
  const { ids = [], n: total = 0, as_of: asOf = '' } = rows[0] ?? {};
  return { ids, total, hasMore: false, asOf };
}

type SearchParams = { query: string; page: Page; where: string; values: unknown[] };

/**
 * Sorts up to a thousand matches. If there are more, a second query reads the page, so its plan may use the list order.
 */
async function search(db: Queryable, list: ListQuery, params: SearchParams): Promise<FoundPage> {
  const { from, orderBy } = list;
  const { limit } = params.page;
  const offset = getOffset(params.page);
  const values = [...params.values];
  const searchTerms = searchConditions(list.search.column, params.query, (value) => `$${values.push(value)}`);
  // Matches nothing, whatever changes.
  if (searchTerms.length === 0) return { ids: [], total: 0, hasMore: false, asOf: '' };
  const where = [params.where, ...searchTerms].join(' and ');
  const { rows } = await db.query<{ n: number; ids: string[] | null; as_of: string }>(
    `select count(*) as n, ${AS_OF} as as_of, (array_agg(id order by ${orderBy}))[${offset + 1}:${offset + limit}] as ids
     from (select * from ${from} where ${where} limit ${COUNT_LIMIT}) as rows`,
    values,
  );
  const { n = 0, ids, as_of: asOf = '' } = rows[0] ?? {};
  const { total, hasMore } = searchTotal(n);
  if (!hasMore) return { ids: ids ?? [], total, hasMore, asOf };
  const pageQuery = `select id from ${from} where ${where} ${pageWindow(list, params.page)}`;
  return { ids: await readIds(db, pageQuery, values), total, hasMore, asOf };
}

function pageWindow({ orderBy }: ListQuery, page: Page): string {
  return `order by ${orderBy} limit ${page.limit} offset ${getOffset(page)}`;
}

async function readIds(db: Queryable, text: string, values: unknown[]): Promise<string[]> {
  return (await db.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
}

/** Combines the conditions that have a value. Their parameters are numbered from `offset` + 1. */
export function bindConditions(conditions: Conditions, offset = 0): { where: string; values: unknown[] } {
  const entries = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = entries.map(([condition], index) => condition.replaceAll('?', `$${offset + index + 1}`));
  return { where: where.join(' and ') || 'true', values: entries.map(([, value]) => value) };
}
