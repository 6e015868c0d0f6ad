import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNTED_AT_MOST, searchTotal } from '@atrium/service-kit/postgres/find-page';
import { likePattern, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { queryTerms } from '../texts/terms.ts';
import { conditionsOf, type DocumentListing, type Found, orderOf, type Search, type Statement } from './listing.ts';

/** So many documents are looked through, in the list's order, for what many have in common: for each of a page, and for each before it. */
const LOOKED_THROUGH = { forEach: 20, before: 10 };

type Searched = DocumentListing & { search: Search };
/** How many hits were found that the caller may read, whose ids are on the page, and whether these are of all hits. */
type Looked = { n: number; ids: string[] | null; is_all: boolean };

/**
 * Finds documents by what they say of themselves, by who uploaded them and by the text of their present file. Each of these has an
 * index, and is asked by itself, for no more than are counted. Where these are all, they are sorted; what very many have in common is
 * soon found in the list's order. No statement is prepared: the best way depends on what is asked for.
 */
export async function searchDocuments(db: Queryable, caller: Caller, searched: Searched): Promise<Found> {
  const { counted, beginning, all } = statementsOf(caller, searched);
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
  const values: unknown[] = [likePattern(text)];
  const words = `document_words(d.name, d.description, d.tags) like fold_letters($${next})`;
  const ways: Way[] = [{ from: 'documents d', where: words, ofOne: words }];
  const short = shortTerm(text);
  if (short !== undefined) {
    values.push([short]);
    const term = `$${next + 1}::text[]`;
    const where = `short_terms(document_words(d.name, d.description, d.tags)) @> ${term} and ${words}`;
    // Every statement has to name every parameter.
    ways.splice(0, 1, { from: 'documents d', where, ofOne: `(${words} and ${term} is not null)` });
  }
  if (uploaders.length > 0) {
    values.push(uploaders);
    const people = `d.uploaded_by = any($${next + values.length - 1}::text[])`;
    ways.push({ from: 'documents d', where: people, ofOne: people });
  }
  const terms = queryTerms(text);
  if (terms !== undefined) {
    values.push(terms);
    const sought = `$${next + values.length - 1}::tsquery`;
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

/** A search of one or two characters as `fold_letters` has it, for which there is an index of its own. */
function shortTerm(text: string): string | undefined {
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toLowerCase();
  const length = [...folded].length;
  return length === 1 || length === 2 ? folded : undefined;
}

function statementsOf(caller: Caller, { filter, search, order, page }: Searched) {
  const { limit, offset } = toLimits(page);
  const { narrowed, readable, values: reading } = conditionsOf(caller, filter);
  const { ways, values: seeking } = waysOf(search, reading.length + 1);
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
