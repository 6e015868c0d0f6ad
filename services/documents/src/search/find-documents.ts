import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNT_LIMIT, searchConditions, searchTotal } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isAdmin } from '../documents/visibility.ts';
import { queryTerms } from '../text-index/terms.ts';
import {
  canReadByScope,
  conditionsOf,
  countByScope,
  countInOrder,
  type DocumentListing,
  type Found,
  orderOf,
  readByScope,
  readInOrder,
  type Search,
  type Statement,
} from './list-statements.ts';

const MAX_SORTED_MATCHES = 5_000;

export async function listExactly(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted } = await listStatementsOf(db, caller, listing);
  const [ids, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted())]);
  return { ids, total, more: false };
}

/** Few matches are all read and sorted; of many, readable ones are read in list order. */
export async function listFiltered(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted, within } = await listStatementsOf(db, caller, listing);
  const { rows } = await db.query<{ scanned: number; n: number; ids: string[] | null }>(within);
  const { scanned = 0, n = 0, ids } = rows[0] ?? {};
  if (scanned <= MAX_SORTED_MATCHES) return { ids: ids ?? [], ...searchTotal(n) };
  const [found, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted(COUNT_LIMIT))]);
  return { ids: found, ...searchTotal(total) };
}

const idsOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id);
const countOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ n: number }>(statement)).rows[0]?.n ?? 0;

async function listStatementsOf(db: Queryable, caller: Caller, listing: DocumentListing) {
  const { filter, order, page } = listing;
  const { filtered, readable, values } = conditionsOf(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, direction } = orderOf(order);
  const sortKeyOrder = `sort_key ${direction}, id ${direction}`;
  const isByScope = await canReadByScope(db, caller, limit + offset);
  const read = isByScope ? readByScope : readInOrder;
  return {
    inOrder: read(caller, listing),
    counted: (limit?: number) => (isAdmin(caller) ? countInOrder : countByScope)(caller, filter, limit),
    within: {
      text: `select count(*) as scanned, count(*) filter (where readable) as n,
          (array_agg(id order by ${sortKeyOrder}) filter (where readable))[${offset + 1}:${offset + limit}] as ids
        from (select d.id, ${column} as sort_key, ${readable} as readable from documents d where ${filtered} limit ${MAX_SORTED_MATCHES + 1}) as rows`,
      values,
    },
  };
}

/** Documents scanned in list order for frequent terms: per row of the page, and per row before it. */
const SCAN_FACTOR = { perRow: 20, perSkippedRow: 10 };

type SearchQuery = DocumentListing & { search: Search };
type MatchCount = { n: number; ids: string[] | null; is_all: boolean };

/**
 * Each source has an index and is queried separately. For very frequent terms, a scan in list order finds the page
 * quickly. Statements are not prepared, because the best plan depends on the values.
 */
export async function searchDocuments(db: Queryable, caller: Caller, query: SearchQuery): Promise<Found> {
  const statements = searchStatementsOf(caller, query);
  if (statements === undefined) return { ids: [], total: 0, more: false };
  const { counted, inListOrder, all } = statements;
  const first = await countMatches(db, counted);
  const total = searchTotal(first.n);
  if (first.is_all) return { ids: first.ids ?? [], ...total };
  const { rows } = await db.query<{ id: string }>(inListOrder);
  if (rows.length === query.page.limit) return { ids: rows.map(({ id }) => id), ...total };
  return { ids: (await countMatches(db, all)).ids ?? [], ...total };
}

const countMatches = async (db: Queryable, statement: Statement): Promise<MatchCount> =>
  (await db.query<MatchCount>(statement)).rows[0] ?? { n: 0, ids: null, is_all: true };

/** An index to search: as a join with documents `d` and a condition, and as a condition on one document. */
type SearchSource = { from: string; where: string; matchesOne: string };

/** Parameters are numbered from `next`. */
function searchSourcesOf({ text, uploaders }: Search, next: number): { sources: SearchSource[]; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${next - 1 + values.push(value)}`;
  const sources: SearchSource[] = [];
  const fields = searchConditions('d.search', text, parameter).join(' and ');
  if (fields !== '') sources.push({ from: 'documents d', where: fields, matchesOne: fields });
  if (uploaders.length > 0) {
    const isUploader = `d.uploaded_by = any(${parameter(uploaders)}::text[])`;
    sources.push({ from: 'documents d', where: isUploader, matchesOne: isUploader });
  }
  const terms = queryTerms(text);
  if (terms !== undefined) {
    const searchTerms = `${parameter(terms)}::tsquery`;
    sources.push({
      from: 'object_texts t join documents d on d.object_key = t.object_key',
      // A subquery hides the value from the planner, which then assumes few matches and uses the index. With the value, it would prefer a
      // scan for frequent terms and underestimate reading the words, which are long and stored separately.
      where: `t.words @@ (select ${searchTerms})`,
      matchesOne: `coalesce((select t.words @@ ${searchTerms} from object_texts t where t.object_key = d.object_key), false)`,
    });
  }
  return { sources, values };
}

function searchStatementsOf(caller: Caller, { filter, search, order, page }: SearchQuery) {
  const { limit, offset } = toLimits(page);
  const { filtered, readable, values: readerValues } = conditionsOf(caller, filter);
  const { sources, values: searchValues } = searchSourcesOf(search, readerValues.length + 1);
  if (sources.length === 0) return undefined;
  const values = [...readerValues, ...searchValues];
  const { column, orderBy, direction } = orderOf(order);
  const pageOf = `count(*) as n,
    (array_agg(id order by sort_key ${direction}, id ${direction}))[${offset + 1}:${offset + limit}] as ids`;
  const union = sources.map((_, step) => `select id, sort_key from match${step}`).join(' union ');
  const selectFrom = ({ from, where }: SearchSource) =>
    `select d.id, ${column} as sort_key from ${from} where ${where} and ${filtered} and ${readable}`;
  const isFull = (step: number) => `(select count(*) from match${step}) = ${COUNT_LIMIT}`;
  const counted = sources.map((source, step) => {
    // Once an earlier index reaches the limit, the later ones are not searched.
    const before = sources.slice(0, step).map((_, earlier) => ` and not ${isFull(earlier)}`);
    return `match${step} as materialized (${selectFrom(source)}${before.join('')} limit ${COUNT_LIMIT})`;
  });
  const all = sources.map((source, step) => `match${step} as materialized (${selectFrom(source)})`);
  const isAll = sources.map((_, step) => `not ${isFull(step)}`).join(' and ');
  const scanLimit = SCAN_FACTOR.perRow * limit + SCAN_FACTOR.perSkippedRow * offset;
  const inOrder = `select d.* from documents d where ${readable} and ${filtered} order by ${orderBy} limit ${scanLimit}`;
  return {
    counted: {
      text: `with ${counted.join(', ')} select ${pageOf}, ${isAll} as is_all from (${union}) as found`,
      values,
    },
    all: { text: `with ${all.join(', ')} select ${pageOf}, true as is_all from (${union}) as found`, values },
    inListOrder: {
      text: `select d.id from (${inOrder}) as d where ${sources.map(({ matchesOne }) => matchesOne).join(' or ')}
        limit ${limit} offset ${offset}`,
      values,
    },
  };
}
