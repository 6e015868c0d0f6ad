import { toLimits } from '../http/page.ts';
import { likePattern, type Queryable } from './postgres.ts';

/** So many matches of a search are counted; of more it is only said that there are more (decisions, section 10). */
const MOST_COUNTED = 1_000;

/** As many matches as need be looked at to know whether there are more. */
export const COUNTED_AT_MOST = MOST_COUNTED + 1;

/** What is said of so many matches, of which no more than `COUNTED_AT_MOST` were looked at. */
export const searchTotal = (n: number) => ({ total: Math.min(n, MOST_COUNTED), more: n > MOST_COUNTED });

/** So many rows of a list are looked through, in its order, for what many of them have in common. */
const LOOKED_THROUGH = 3_000;

/** A list of the rows of a table that have an `id`, as SQL. */
export type List = {
  /** The table, or a part of it in brackets with a name. */
  from: string;
  /** Conditions with the value that stands in each for `?`. One without a value does not hold the list back. */
  where: Record<string, unknown>;
  /** The text that is searched, in lower case, and what must be in it; nothing is no search. */
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
export async function findPage(db: Queryable, list: List, page: Page): Promise<FoundPage> {
  if (list.search.for) return search(db, list, { page, text: list.search.for });
  const { where, values } = withValues(list.where);
  const total = list.counts ? `coalesce(sum(n), 0) as n from ${list.counts}` : `count(*) as n from ${list.from}`;
  const [ids, counted] = await Promise.all([
    idsOf(db, `select id from ${list.from} where ${where} ${pageWindow(list, page)}`, values),
    countOf(db, `select ${total} where ${where}`, values),
  ]);
  return { ids, total: counted, more: false };
}

/**
 * Few matches are found by the index of words, and sorted. What very many rows have in common is soon found in the list's order. No
 * planner knows which of both it is, nor that matches may stand close together far down, as names do.
 */
async function search(db: Queryable, list: List, { page, text }: { page: Page; text: string }): Promise<FoundPage> {
  const { limit, offset } = toLimits(page);
  const { where, values: fixed } = withValues(list.where);
  const parts = rareParts(text);
  const proposing = (parts.length > 0 ? parts : [text]).map(likePattern);
  const values = [...fixed, text, ...proposing];
  // Not by `like`: the index would merge the lists of all trigrams of a text, which takes ten times as long as to find rare ones of it.
  const matches = `strpos(${list.search.in}, lower($${fixed.length + 1})) > 0`;
  const proposed = proposing.map((_, index) => `${list.search.in} like lower($${fixed.length + 2 + index})`);
  const found = `select * from ${list.from} where ${[where, ...proposed, matches].join(' and ')}`;
  const { rows } = await db.query<{ n: number; ids: string[] | null }>(
    `select count(*) as n, (array_agg(id order by ${list.orderBy}))[${offset + 1}:${offset + limit}] as ids
     from (${found} limit ${COUNTED_AT_MOST}) as found`,
    values,
  );
  const { n, ids } = rows[0] ?? { n: 0, ids: null };
  const total = searchTotal(n);
  if (!total.more) return { ids: ids ?? [], ...total };
  const beginning = `select id from ${list.from} where ${where} order by ${list.orderBy} limit ${LOOKED_THROUGH}`;
  // They come as they are read, in order. Of those before them an index tells where they stand, and only these are read whole.
  const isMatch = `(select ${matches} from ${list.from} where id = beginning.id)`;
  const inOrder = `select id from (${beginning}) as beginning where ${isMatch} limit ${limit} offset ${offset}`;
  const soon = await idsOf(db, inOrder, values.slice(0, fixed.length + 1));
  const sorted = () => idsOf(db, `select id from (${found} offset 0) as found ${pageWindow(list, page)}`, values);
  return { ids: soon.length === limit ? soon : await sorted(), ...total };
}

/** Letters of European languages, the frequent ones first. */
const FREQUENT = 'enaitrsoldhucmgpbfvkwyzjxq';
const rarityOf = (letter: string) => (FREQUENT.includes(letter) ? FREQUENT.indexOf(letter) : FREQUENT.length);
const MOST_PARTS = 2;

/**
 * The rarest trigrams of a text, by their letters: what has all of them is nearly what has the text. None of a text without three
 * letters of ASCII, or digits, in a row: they are those that every database puts into lower case as this does.
 */
export function rareParts(text: string): string[] {
  const trigrams = [...text.toLowerCase().matchAll(/(?=([a-z0-9]{3}))/g)].map(({ 1: part = '', index }) => ({
    part,
    index,
    rarity: [...part].reduce((sum, letter) => sum + rarityOf(letter), 0),
  }));
  const chosen: typeof trigrams = [];
  for (const one of trigrams.toSorted((a, b) => b.rarity - a.rarity)) {
    const stands = chosen.every((other) => Math.abs(other.index - one.index) >= 3);
    if (stands && chosen.length < MOST_PARTS) chosen.push(one);
  }
  return chosen.map(({ part }) => part);
}

function pageWindow({ orderBy }: List, page: Page): string {
  const { limit, offset } = toLimits(page);
  return `order by ${orderBy} limit ${limit} offset ${offset}`;
}

async function idsOf(db: Queryable, text: string, values: unknown[]): Promise<string[]> {
  return (await db.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
}

async function countOf(db: Queryable, text: string, values: unknown[]): Promise<number> {
  return (await db.query<{ n: number }>(text, values)).rows[0]?.n ?? 0;
}

/** The conditions that have a value, as SQL with parameters. */
export function withValues(conditions: Record<string, unknown>): { where: string; values: unknown[] } {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = given.map(([condition], index) => condition.replaceAll('?', `$${index + 1}`));
  return { where: where.join(' and ') || 'true', values: given.map(([, value]) => value) };
}
