import { searchNeedles } from '@atrium/proto-events/text/search';
import { toLimits } from '../http/page.ts';
import { likePattern, type Queryable } from './postgres.ts';
import { rareTrigrams } from './rare-trigrams.ts';

/** Maximum number of search matches that are counted. */
const MAX_COUNTED = 1_000;

/** Number of matches to read to know whether there are more. */
export const COUNT_LIMIT = MAX_COUNTED + 1;

/** The total of a search of which at most `COUNT_LIMIT` matches were read. */
export const searchTotal = (n: number) => ({ total: Math.min(n, MAX_COUNTED), more: n > MAX_COUNTED });

export type SearchLimits = {
  /** Up to this many rows, all are scanned: the trigram index covers the whole table. */
  scanAllUpTo: number;
  /** Maximum rows of a list that are scanned in list order, for frequent terms. */
  maxScanned: number;
};
const LIMITS: SearchLimits = { scanAllUpTo: 5_000, maxScanned: 20_000 };

/** Maximum number of rare trigrams that select rows by index; the rest is compared row by row. */
const MAX_INDEXED_TRIGRAMS = 3;

type Conditions = Record<string, unknown>;

/** A list query over a table with an `id`, as SQL. */
export type ListQuery = {
  /** The table, or a subquery with an alias. */
  from: string;
  /** Conditions with the value for `?`. Conditions with an undefined value are ignored. */
  where: Conditions;
  /** Selective, indexed conditions, such as the parent of the rows. */
  within?: Conditions;
  /** A search text column (`search_text`), and the query to match; undefined disables the search. */
  search: { in: string; for: string | undefined };
  /** A total order. */
  orderBy: string;
};

type Page = { page: number; limit: number };

/** Ids of the rows of a page, in order. `more`: there are more matches than the total. */
export type FoundPage = { ids: string[]; total: number; more: boolean };

/** Finds one page of a list and its total. Statements are not prepared, since the best plan depends on the values. */
export async function findPage(db: Queryable, list: ListQuery, page: Page, limits = LIMITS): Promise<FoundPage> {
  if (list.search.for) return search(db, list, { page, text: list.search.for, ...limits });
  const { where, values } = withValues({ ...list.within, ...list.where });
  const [ids, counted] = await Promise.all([
    idsOf(db, `select id from ${list.from} where ${where} ${pageWindow(list, page)}`, values),
    countOf(db, `select count(*) as n from ${list.from} where ${where}`, values),
  ]);
  return { ids, total: counted, more: false };
}

/**
 * Within a parent, all rows are scanned. Otherwise few matches are found by the trigram index and sorted; frequent
 * terms are found soon in list order. The planner cannot distinguish these cases, nor that matches may cluster far
 * down the list, as names do.
 */
async function search(db: Queryable, list: ListQuery, searchParams: SearchParams): Promise<FoundPage> {
  if (searchNeedles(searchParams.text).length === 0) return { ids: [], total: 0, more: false };
  const { within, proposed, beginning, sorted } = statementsOf(list, searchParams);
  if (within) {
    const all = await countMatches(db, within);
    if (all.scanned <= searchParams.scanAllUpTo) return { ids: all.ids ?? [], ...searchTotal(all.n) };
  }
  const first = await countMatches(db, proposed);
  const total = searchTotal(first.n);
  if (!total.more) return { ids: first.ids ?? [], ...total };
  const soon = await idsOf(db, beginning.text, beginning.values);
  const isFull = soon.length === toLimits(searchParams.page).limit;
  return { ids: isFull ? soon : await idsOf(db, sorted.text, sorted.values), ...total };
}

type SearchParams = { text: string; page: Page } & SearchLimits;
type Statement = { text: string; values: unknown[] };
/** Number of rows scanned, number of matches, and the ids of the page. */
type SearchResult = { scanned: number; n: number; ids: string[] | null };

const countMatches = async (db: Queryable, { text, values }: Statement): Promise<SearchResult> =>
  (await db.query<SearchResult>(text, values)).rows[0] ?? { scanned: 0, n: 0, ids: null };

/** The alternative search statements; `within` exists only with a parent. */
function statementsOf(list: ListQuery, { text, page, scanAllUpTo, maxScanned }: SearchParams) {
  const { limit, offset } = toLimits(page);
  const { from, orderBy } = list;
  const withinParent = withValues(list.within ?? {});
  const others = withValues(list.where, withinParent.values.length);
  const needles = searchNeedles(text);
  const before = withinParent.values.length + others.values.length;
  const values = [...withinParent.values, ...others.values, ...needles];
  // Not `like`: the index would merge the posting lists of all trigrams, which takes ten times as long as finding rare
  // ones.
  const contained = needles.map((_, index) => `strpos(${list.search.in}, $${before + 1 + index}) > 0`);
  const matches = [others.where, ...contained].join(' and ');
  const parts = needles.flatMap((needle) => rareTrigrams(needle).slice(0, 2)).slice(0, MAX_INDEXED_TRIGRAMS);
  const proposing = (parts.length > 0 ? parts : needles.slice(0, MAX_INDEXED_TRIGRAMS)).map(likePattern);
  const likes = proposing.map((_, index) => `${list.search.in} like $${values.length + 1 + index}`);
  const where = [withinParent.where, ...likes, matches].join(' and ');
  const ids = `(array_agg(id order by ${orderBy}) filter (where found))[${offset + 1}:${offset + limit}] as ids`;
  const counting = (rows: string) =>
    `select count(*) as scanned, count(*) filter (where found) as n, ${ids} from (${rows}) as rows`;
  const inOrder = `select * from ${from} where ${withinParent.where} order by ${orderBy} limit ${maxScanned}`;
  return {
    within: withinParent.values.length > 0 && {
      text: counting(`select *, ${matches} as found from ${from} where ${withinParent.where} limit ${scanAllUpTo + 1}`),
      values,
    },
    proposed: {
      text: counting(`select *, true as found from ${from} where ${where} limit ${COUNT_LIMIT}`),
      values: [...values, ...proposing],
    },
    // Rows arrive in list order.
    beginning: {
      text: `select id from (${inOrder}) as beginning where ${matches} limit ${limit} offset ${offset}`,
      values,
    },
    sorted: {
      text: `select id from (select * from ${from} where ${where} offset 0) as found ${pageWindow(list, page)}`,
      values: [...values, ...proposing],
    },
  };
}

function pageWindow({ orderBy }: ListQuery, page: Page): string {
  const { limit, offset } = toLimits(page);
  return `order by ${orderBy} limit ${limit} offset ${offset}`;
}

async function idsOf(db: Queryable, text: string, values: unknown[]): Promise<string[]> {
  return (await db.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
}

async function countOf(db: Queryable, text: string, values: unknown[]): Promise<number> {
  return (await db.query<{ n: number }>(text, values)).rows[0]?.n ?? 0;
}

/** The conditions with a value, as SQL with parameters numbered after `before`. */
export function withValues(conditions: Conditions, before = 0): { where: string; values: unknown[] } {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = given.map(([condition], index) => condition.replaceAll('?', `$${before + index + 1}`));
  return { where: where.join(' and ') || 'true', values: given.map(([, value]) => value) };
}
