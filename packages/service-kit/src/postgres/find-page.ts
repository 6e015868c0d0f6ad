import { toLimits } from '../http/page.ts';
import { likePattern, type Queryable } from './postgres.ts';

/** So many matches of a search are counted; of more it is only said that there are more (decisions, section 10). */
const MOST_COUNTED = 1_000;

/** As many matches as need be looked at to know whether there are more. */
export const COUNTED_AT_MOST = MOST_COUNTED + 1;

/** What is said of so many matches, of which no more than `COUNTED_AT_MOST` were looked at. */
export const searchTotal = (n: number) => ({ total: Math.min(n, MOST_COUNTED), more: n > MOST_COUNTED });

/** So many rows of a list are looked through, in its order, for what many of them have in common. */
const LOOKED_THROUGH = 20_000;
/** Of so few rows, all are looked through: the index of words would go through those of everything. */
const FEW = 5_000;

type Conditions = Record<string, unknown>;

/** A list of the rows of a table that have an `id`, as SQL. */
export type List = {
  /** The table, or a part of it in brackets with a name. */
  from: string;
  /** Conditions with the value that stands in each for `?`. One without a value does not hold the list back. */
  where: Conditions;
  /** Of the conditions those for which there is an index, and few rows, most often: what belongs to something. */
  within?: Conditions;
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
  const { where, values } = withValues({ ...list.within, ...list.where });
  const total = list.counts ? `coalesce(sum(n), 0) as n from ${list.counts}` : `count(*) as n from ${list.from}`;
  const [ids, counted] = await Promise.all([
    idsOf(db, `select id from ${list.from} where ${where} ${pageWindow(list, page)}`, values),
    countOf(db, `select ${total} where ${where}`, values),
  ]);
  return { ids, total: counted, more: false };
}

/** What a search finds in the rows that it has looked through: how many, and whose ids are on the page. */
type Found = { looked: number; n: number; ids: string[] | null };

/**
 * Of what belongs to something, everything is looked through. Elsewhere few matches are found by the index of words, and sorted; what
 * very many rows have in common is soon found in the list's order. No planner knows which of both it is, nor that matches may stand
 * close together far down, as names do.
 */
async function search(db: Queryable, list: List, { page, text }: { page: Page; text: string }): Promise<FoundPage> {
  const { limit, offset } = toLimits(page);
  const { from, orderBy } = list;
  const within = withValues(list.within ?? {});
  const others = withValues(list.where, within.values.length);
  const values = [...within.values, ...others.values, text];
  // Not by `like`: the index would merge the lists of all trigrams of a text, which takes ten times as long as to find rare ones of it.
  const matches = `${others.where} and strpos(${list.search.in}, lower($${values.length})) > 0`;
  const find = async (rows: string, given: unknown[]): Promise<Found> => {
    const answer = await db.query<Found>(
      `select count(*) as looked, count(*) filter (where found) as n,
              (array_agg(id order by ${orderBy}) filter (where found))[${offset + 1}:${offset + limit}] as ids
       from (${rows}) as rows`,
      given,
    );
    return answer.rows[0] ?? { looked: 0, n: 0, ids: null };
  };

  if (within.values.length > 0) {
    const all = await find(`select *, ${matches} as found from ${from} where ${within.where} limit ${FEW + 1}`, values);
    if (all.looked <= FEW) return { ids: all.ids ?? [], ...searchTotal(all.n) };
  }

  const parts = rareParts(text);
  const proposing = (parts.length > 0 ? parts : [text]).map(likePattern);
  const proposed = proposing.map((_, index) => `${list.search.in} like lower($${values.length + 1 + index})`);
  const found = `select *, true as found from ${from} where ${[within.where, ...proposed, matches].join(' and ')}`;
  const first = await find(`${found} limit ${COUNTED_AT_MOST}`, [...values, ...proposing]);
  const total = searchTotal(first.n);
  if (!total.more) return { ids: first.ids ?? [], ...total };

  // They come as they are read, in order.
  const beginning = `select * from ${from} where ${within.where} order by ${orderBy} limit ${LOOKED_THROUGH}`;
  const inOrder = `select id from (${beginning}) as beginning where ${matches} limit ${limit} offset ${offset}`;
  const soon = await idsOf(db, inOrder, values);
  const sorted = () =>
    idsOf(db, `select id from (${found} offset 0) as found ${pageWindow(list, page)}`, [...values, ...proposing]);
  return { ids: soon.length === limit ? soon : await sorted(), ...total };
}

/** Letters of European languages, the frequent ones first; words begin with any. */
const FREQUENT = 'enaitrsoldhucmgpbfvkwyzjxq';
const rarityOf = (letter: string) => FREQUENT.indexOf(letter === ' ' ? 't' : letter) + 1 || FREQUENT.length + 1;
/** What stands in nearly every text tells nothing. */
const EVERYWHERE = new Set(['the', ' th', 'and', ' an', 'ing', 'ion']);
const MOST_PARTS = 3;

/**
 * The rarest trigrams of a text, by their letters, of each word one: a row that has all of them is nearly one that has the text, and two
 * of one word have the same rows. A space tells that a word begins or ends, and is one of three. None of a text without three letters of
 * ASCII, or digits, or a space beside two: they are those that every database puts into lower case as this does.
 */
export function rareParts(text: string): string[] {
  const words = [...text.toLowerCase().matchAll(/(?<=( ?))[a-z0-9]+(?=( ?))/g)].map(([word, before, after]) =>
    rarestOf(`${before}${word}${after}`),
  );
  const firsts = words.flatMap(([first]) => first ?? []).toSorted(byRarity);
  const seconds = words.flatMap(([, second]) => second ?? []).toSorted(byRarity);
  const telling = firsts.filter(({ part }) => !EVERYWHERE.has(part));
  const chosen = telling.length > 1 ? telling.slice(0, MOST_PARTS) : [...firsts, ...seconds].slice(0, 2);
  return chosen.some(({ part }) => part.length === 3) ? chosen.map(({ part }) => part) : [];
}

type Part = { part: string; rarity: number };
const byRarity = (a: Part, b: Part) => b.rarity - a.rarity;

/** Of a word, with the spaces around it, the two rarest trigrams that do not overlap; of a single letter after a space both. */
function rarestOf(word: string): Part[] {
  const parts = /^ .$/.test(word) ? [word] : [...word.matchAll(/(?=(.{3}))/g)].map(({ 1: part = '' }) => part);
  const ranked = parts
    .map((part, index) => ({ part, index, rarity: [...part].reduce((sum, letter) => sum + rarityOf(letter), 0) }))
    .toSorted(byRarity);
  const [first] = ranked;
  const second = first && ranked.find(({ index }) => Math.abs(index - first.index) >= 3);
  return [first, second].filter((one) => one !== undefined);
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

/** The conditions that have a value, as SQL with parameters, of which so many stand before. */
export function withValues(conditions: Conditions, before = 0): { where: string; values: unknown[] } {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = given.map(([condition], index) => condition.replaceAll('?', `$${before + index + 1}`));
  return { where: where.join(' and ') || 'true', values: given.map(([, value]) => value) };
}
