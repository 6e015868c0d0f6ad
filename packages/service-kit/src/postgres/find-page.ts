import { searchNeedles } from '@atrium/proto-events/text/search';
import { toLimits } from '../http/page.ts';
import { likePattern, type Queryable } from './postgres.ts';
import { rareTrigrams } from './rare-trigrams.ts';

/** So many matches of a search are counted; of more it is only said that there are more (decisions, section 10). */
const MAX_COUNTED = 1_000;

/** As many matches as need be looked at to know whether there are more. */
export const COUNT_LIMIT = MAX_COUNTED + 1;

/** What is said of so many matches, of which no more than `COUNTED_AT_MOST` were looked at. */
export const searchTotal = (n: number) => ({ total: Math.min(n, MAX_COUNTED), more: n > MAX_COUNTED });

export type SearchLimits = {
  /** Of so few rows, all are looked through: the index of words would go through those of everything. */
  few: number;
  /** So many rows of a list are looked through, in its order, for what many of them have in common. */
  lookedThrough: number;
};
const LIMITS: SearchLimits = { few: 5_000, lookedThrough: 20_000 };

/** So many rare parts of what is sought choose rows by the index; the rows are compared with the rest. */
const MAX_PROPOSING = 3;

type Conditions = Record<string, unknown>;

/** A list of the rows of a table that have an `id`, as SQL. */
export type ListQuery = {
  /** The table, or a part of it in brackets with a name. */
  from: string;
  /** Conditions with the value that stands in each for `?`. One without a value does not hold the list back. */
  where: Conditions;
  /** Of the conditions those for which there is an index, and few rows, most often: what belongs to something. */
  within?: Conditions;
  /** A column with a search text (`search_text`), and the query that must find it; nothing is no search. */
  search: { in: string; for: string | undefined };
  /** A total order. */
  orderBy: string;
  /** A table that keeps how many rows there are (`n`) by the columns of the conditions; without one they are counted. */
  counts?: string | undefined;
};

type Page = { page: number; limit: number };

/** Whose rows stand on a page, in order. `more`: a search found more than the total says. */
export type FoundPage = { ids: string[]; total: number; more: boolean };

/**
 * Finds one page of a list and how many rows there are. No statement is prepared: what is the best way to a list depends on the values
 * that are asked for, so each is planned for its own.
 */
export async function findPage(db: Queryable, list: ListQuery, page: Page, limits = LIMITS): Promise<FoundPage> {
  if (list.search.for) return search(db, list, { page, text: list.search.for, ...limits });
  const { where, values } = withValues({ ...list.within, ...list.where });
  const total = list.counts ? `coalesce(sum(n), 0) as n from ${list.counts}` : `count(*) as n from ${list.from}`;
  const [ids, counted] = await Promise.all([
    idsOf(db, `select id from ${list.from} where ${where} ${pageWindow(list, page)}`, values),
    countOf(db, `select ${total} where ${where}`, values),
  ]);
  return { ids, total: counted, more: false };
}

/**
 * Of what belongs to something, everything is looked through. Elsewhere few matches are found by the index of words, and sorted; what
 * very many rows have in common is soon found in the list's order. No planner knows which of both it is, nor that matches may stand
 * close together far down, as names do.
 */
async function search(db: Queryable, list: ListQuery, sought: SearchParams): Promise<FoundPage> {
  if (searchNeedles(sought.text).length === 0) return { ids: [], total: 0, more: false };
  const { within, proposed, beginning, sorted } = statementsOf(list, sought);
  if (within) {
    const all = await countMatches(db, within);
    if (all.looked <= sought.few) return { ids: all.ids ?? [], ...searchTotal(all.n) };
  }
  const first = await countMatches(db, proposed);
  const total = searchTotal(first.n);
  if (!total.more) return { ids: first.ids ?? [], ...total };
  const soon = await idsOf(db, beginning.text, beginning.values);
  const isFull = soon.length === toLimits(sought.page).limit;
  return { ids: isFull ? soon : await idsOf(db, sorted.text, sorted.values), ...total };
}

type SearchParams = { text: string; page: Page } & SearchLimits;
type Statement = { text: string; values: unknown[] };
/** How many rows were looked at, how many of them match, and whose ids are on the page. */
type Looked = { looked: number; n: number; ids: string[] | null };

const countMatches = async (db: Queryable, { text, values }: Statement): Promise<Looked> =>
  (await db.query<Looked>(text, values)).rows[0] ?? { looked: 0, n: 0, ids: null };

/** The ways to find what is sought, of which `within` is there for what belongs to something. */
function statementsOf(list: ListQuery, { text, page, few, lookedThrough }: SearchParams) {
  const { limit, offset } = toLimits(page);
  const { from, orderBy } = list;
  const belonging = withValues(list.within ?? {});
  const others = withValues(list.where, belonging.values.length);
  const needles = searchNeedles(text);
  const before = belonging.values.length + others.values.length;
  const values = [...belonging.values, ...others.values, ...needles];
  // Not by `like`: the index would merge the lists of all trigrams of a text, which takes ten times as long as to find rare ones of it.
  const contained = needles.map((_, index) => `strpos(${list.search.in}, $${before + 1 + index}) > 0`);
  const matches = [others.where, ...contained].join(' and ');
  const parts = needles.flatMap((needle) => rareTrigrams(needle).slice(0, 2)).slice(0, MAX_PROPOSING);
  const proposing = (parts.length > 0 ? parts : needles.slice(0, MAX_PROPOSING)).map(likePattern);
  const likes = proposing.map((_, index) => `${list.search.in} like $${values.length + 1 + index}`);
  const where = [belonging.where, ...likes, matches].join(' and ');
  const ids = `(array_agg(id order by ${orderBy}) filter (where found))[${offset + 1}:${offset + limit}] as ids`;
  const counting = (rows: string) =>
    `select count(*) as looked, count(*) filter (where found) as n, ${ids} from (${rows}) as rows`;
  const inOrder = `select * from ${from} where ${belonging.where} order by ${orderBy} limit ${lookedThrough}`;
  return {
    within: belonging.values.length > 0 && {
      text: counting(`select *, ${matches} as found from ${from} where ${belonging.where} limit ${few + 1}`),
      values,
    },
    proposed: {
      text: counting(`select *, true as found from ${from} where ${where} limit ${COUNT_LIMIT}`),
      values: [...values, ...proposing],
    },
    // They come as they are read, in order.
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

/** The conditions that have a value, as SQL with parameters, of which so many stand before. */
export function withValues(conditions: Conditions, before = 0): { where: string; values: unknown[] } {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = given.map(([condition], index) => condition.replaceAll('?', `$${before + index + 1}`));
  return { where: where.join(' and ') || 'true', values: given.map(([, value]) => value) };
}
