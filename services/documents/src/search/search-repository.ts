import { searchNeedles } from '@atrium/proto-events/text/search';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNTED_AT_MOST, searchTotal } from '@atrium/service-kit/postgres/find-page';
import { likePattern, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { queryTerms } from '../text-index/terms.ts';
import { conditionsOf, type DocumentListing, type Found, orderOf, type Search, type Statement } from './listing.ts';

/** So many documents are looked through, in the list's order, for what many have in common: for each of a page, and for each before it. */
const LOOKED_THROUGH = { forEach: 20, before: 10 };

type Searched = DocumentListing & { search: Search };
/** How many hits were found that the caller may read, whose ids are on the page, and whether these are of all hits. */
type Looked = { n: number; ids: string[] | null; is_all: boolean };

/**
 * Finds documents by their name, description, and tags, by who uploaded them, and by the text of their present file. Each of these has an
 * index, and is asked by itself, for no more than are counted. Where these are all, they are sorted; what very many have in common is
 * soon found in the list's order. No statement is prepared: the best way depends on what is asked for.
 */
export async function searchDocuments(db: Queryable, caller: Caller, searched: Searched): Promise<Found> {
  const statements = statementsOf(caller, searched);
  if (statements === undefined) return { ids: [], total: 0, more: false };
  const { counted, beginning, all } = statements;
  const first = await look(db, counted);
  const total = searchTotal(first.n);
  if (first.is_all) return { ids: first.ids ?? [], ...total };
  const { rows } = await db.query<{ id: string }>(beginning);
  if (rows.length === searched.page.limit) return { ids: rows.map(({ id }) => id), ...total };
  return { ids: (await look(db, all)).ids ?? [], ...total };
}

const look = async (db: Queryable, statement: Statement): Promise<Looked> =>
  (await db.query<Looked>(statement)).rows[0] ?? { n: 0, ids: null, is_all: true };

/** A way to be found: as a join with documents `d` and a condition, and as a condition on one document alone. */
type Way = { from: string; where: string; ofOne: string };

/** The ways to find what is sought, with their values from the parameter on that is next. */
function waysOf({ text, uploaders }: Search, next: number): { ways: Way[]; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${next - 1 + values.push(value)}`;
  const ways: Way[] = [];
  const needles = searchNeedles(text);
  if (needles.length > 0) ways.push(wayOfFields(needles, parameter));
  if (uploaders.length > 0) {
    const people = `d.uploaded_by = any(${parameter(uploaders)}::text[])`;
    ways.push({ from: 'documents d', where: people, ofOne: people });
  }
  const terms = queryTerms(text);
  if (terms !== undefined) {
    const sought = `${parameter(terms)}::tsquery`;
    ways.push({
      from: 'object_texts t join documents d on d.object_key = t.object_key',
      // A query that PostgreSQL does not know when it plans it takes for one with few hits, and reads the index. Of one with many it
      // would rather try row after row, and reckons with nothing for their words, which lie elsewhere and are long.
      where: `t.words @@ (select ${sought})`,
      ofOne: `coalesce((select t.words @@ ${sought} from object_texts t where t.object_key = d.object_key), false)`,
    });
  }
  return { ways, values };
}

const MAX_PATTERNS = 3;
/** Of these pg_trgm has trigrams, whatever the character type of the database. */
const HAS_TRIGRAM = /[a-z0-9]{3}/;

/** By name, description, and tags: an index proposes documents, by trigrams where the query has one, and they are compared with all of it. */
function wayOfFields(needles: string[], parameter: (value: unknown) => string): Way {
  const contained = needles.map((needle) => `strpos(d.search, ${parameter(needle)}) > 0`).join(' and ');
  const long = needles.filter((needle) => HAS_TRIGRAM.test(needle)).slice(0, MAX_PATTERNS);
  const patterns = long.map((needle) => `${parameter(likePattern(needle))}::text`);
  const short = long.length > 0 ? [] : [`${parameter([...new Set(needles.flatMap(shortTerms))])}::text[]`];
  const proposed = [
    ...patterns.map((pattern) => `d.search like ${pattern}`),
    ...short.map((terms) => `short_terms(d.search) @> ${terms}`),
  ];
  // Every statement has to name every parameter.
  const named = [...patterns, ...short].map((value) => `${value} is not null`);
  return {
    from: 'documents d',
    where: [...proposed, contained].join(' and '),
    ofOne: `(${[contained, ...named].join(' and ')})`,
  };
}

/** The pairs of characters of a needle, or its only one, as `short_terms` has them. */
function shortTerms(needle: string): string[] {
  const characters = [...needle];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((second, index) => `${characters[index]}${second}`);
}

function statementsOf(caller: Caller, { filter, search, order, page }: Searched) {
  const { limit, offset } = toLimits(page);
  const { narrowed, readable, values: reading } = conditionsOf(caller, filter);
  const { ways, values: seeking } = waysOf(search, reading.length + 1);
  if (ways.length === 0) return undefined;
  const values = [...reading, ...seeking];
  const { column, orderBy, direction } = orderOf(order);
  const pageOf = `count(*) as n,
    (array_agg(id order by place ${direction}, id ${direction}))[${offset + 1}:${offset + limit}] as ids`;
  const union = ways.map((_, step) => `select id, place from way${step}`).join(' union ');
  const wayOf = ({ from, where }: Way) =>
    `select d.id, ${column} as place from ${from} where ${where} and ${narrowed} and ${readable}`;
  const isFull = (step: number) => `(select count(*) from way${step}) = ${COUNTED_AT_MOST}`;
  const counted = ways.map((way, step) => {
    // Where one way leads to as many as are counted, those behind it need not be taken.
    const before = ways.slice(0, step).map((_, earlier) => ` and not ${isFull(earlier)}`);
    return `way${step} as materialized (${wayOf(way)}${before.join('')} limit ${COUNTED_AT_MOST})`;
  });
  const all = ways.map((way, step) => `way${step} as materialized (${wayOf(way)})`);
  const isAll = ways.map((_, step) => `not ${isFull(step)}`).join(' and ');
  const through = LOOKED_THROUGH.forEach * limit + LOOKED_THROUGH.before * offset;
  const inOrder = `select d.* from documents d where ${readable} and ${narrowed} order by ${orderBy} limit ${through}`;
  return {
    counted: {
      text: `with ${counted.join(', ')} select ${pageOf}, ${isAll} as is_all from (${union}) as found`,
      values,
    },
    all: { text: `with ${all.join(', ')} select ${pageOf}, true as is_all from (${union}) as found`, values },
    beginning: {
      text: `select d.id from (${inOrder}) as d where ${ways.map(({ ofOne }) => ofOne).join(' or ')}
        limit ${limit} offset ${offset}`,
      values,
    },
  };
}
