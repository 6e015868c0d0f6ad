import { searchNeedles } from '@atrium/proto-events/text/search';
import { likePattern, type Queryable } from './postgres.ts';

const MAX_COUNTED = 1_000;

/** Number of matches to read to know whether there are more. */
export const COUNT_LIMIT = MAX_COUNTED + 1;

export const searchTotal = (n: number) => ({ total: Math.min(n, MAX_COUNTED), more: n > MAX_COUNTED });

type Conditions = Record<string, unknown>;

export type ListQuery = {
  from: string;
  where: Conditions;
  /** A search text column (`search_text`), and the query to match; undefined disables the search. */
  search: { in: string; for: string | undefined };
  orderBy: string;
};

type Page = { page: number; limit: number };

const offsetOf = ({ page, limit }: Page) => (page - 1) * limit;

/** `more`: there are more matches than the total. */
type FoundPage = { ids: string[]; total: number; more: boolean };

/** pg_trgm extracts trigrams from these in every locale. For a pattern without any, PostgreSQL would read the whole index. */
const HAS_TRIGRAM = /[a-z0-9]{3}/;

/** One condition per word. Empty if the query has only punctuation. */
export const searchConditions = (column: string, query: string, parameter: (value: string) => string): string[] =>
  searchNeedles(query).map((needle) =>
    HAS_TRIGRAM.test(needle)
      ? `${column} like ${parameter(likePattern(needle))}`
      : `strpos(${column}, ${parameter(needle)}) > 0`,
  );

/** Statements are not prepared, since the best plan depends on the values. */
export async function findPage(db: Queryable, list: ListQuery, page: Page): Promise<FoundPage> {
  const { where, values } = withValues(list.where);
  if (list.search.for) return search(db, list, { query: list.search.for, page, where, values });
  const [ids, counted] = await Promise.all([
    idsOf(db, `select id from ${list.from} where ${where} ${pageWindow(list, page)}`, values),
    countOf(db, `select count(*) as n from ${list.from} where ${where}`, values),
  ]);
  return { ids, total: counted, more: false };
}

type SearchParams = { query: string; page: Page; where: string; values: unknown[] };

/** Sorts up to a thousand matches. The page of more is another query, whose plan may read them in list order. */
async function search(db: Queryable, list: ListQuery, params: SearchParams): Promise<FoundPage> {
  const { from, orderBy } = list;
  const { limit } = params.page;
  const offset = offsetOf(params.page);
  const values = [...params.values];
  const words = searchConditions(list.search.in, params.query, (value) => `$${values.push(value)}`);
  if (words.length === 0) return { ids: [], total: 0, more: false };
  const where = [params.where, ...words].join(' and ');
  const { rows } = await db.query<{ n: number; ids: string[] | null }>(
    `select count(*) as n, (array_agg(id order by ${orderBy}))[${offset + 1}:${offset + limit}] as ids
     from (select * from ${from} where ${where} limit ${COUNT_LIMIT}) as rows`,
    values,
  );
  const { n = 0, ids } = rows[0] ?? {};
  const { total, more } = searchTotal(n);
  if (!more) return { ids: ids ?? [], total, more };
  const page = `select id from ${from} where ${where} ${pageWindow(list, params.page)}`;
  return { ids: await idsOf(db, page, values), total, more };
}

function pageWindow({ orderBy }: ListQuery, page: Page): string {
  return `order by ${orderBy} limit ${page.limit} offset ${offsetOf(page)}`;
}

async function idsOf(db: Queryable, text: string, values: unknown[]): Promise<string[]> {
  return (await db.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
}

async function countOf(db: Queryable, text: string, values: unknown[]): Promise<number> {
  return (await db.query<{ n: number }>(text, values)).rows[0]?.n ?? 0;
}

/** The conditions with a value, as SQL with parameters numbered after `before`. */
export function withValues(conditions: Conditions, before = 0): { where: string; values: unknown[] } {
  const present = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = present.map(([condition], index) => condition.replaceAll('?', `$${before + index + 1}`));
  return { where: where.join(' and ') || 'true', values: present.map(([, value]) => value) };
}
