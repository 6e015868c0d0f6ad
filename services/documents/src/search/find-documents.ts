import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNT_LIMIT, searchConditions, searchTotal } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isAdmin } from '../documents/visibility.ts';
import { queryTerms } from '../text-index/terms.ts';
import {
  buildConditions,
  canReadByScope,
  countByScope,
  countInOrder,
  type DocumentListing,
  type DocumentMatches,
  type Search,
  type Statement,
  selectByScope,
  selectInOrder,
  toSortOrder,
} from './list-statements.ts';

const MAX_SORTED_MATCHES = 5_000;

export async function listExactly(db: Queryable, caller: Caller, listing: DocumentListing): Promise<DocumentMatches> {
  const { selectPage, selectTotal } = await buildListStatements(db, caller, listing);
  const [ids, total] = await Promise.all([selectIds(db, selectPage), selectCount(db, selectTotal())]);
  return { ids, total, hasMore: false };
}

/** Reads and sorts all matches if they are few; otherwise, reads the readable ones in list order. */
export async function listFiltered(db: Queryable, caller: Caller, listing: DocumentListing): Promise<DocumentMatches> {
  const { selectPage, selectTotal, selectMatches } = await buildListStatements(db, caller, listing);
  const { rows } = await db.query<{ scanned: number; n: number; ids: string[] | null }>(selectMatches);
  const { scanned = 0, n = 0, ids } = rows[0] ?? {};
  if (scanned <= MAX_SORTED_MATCHES) return { ids: ids ?? [], ...searchTotal(n) };
  // One at a time, since a search has one connection.
  const pageIds = await selectIds(db, selectPage);
  return { ids: pageIds, ...searchTotal(await selectCount(db, selectTotal(COUNT_LIMIT))) };
}

const selectIds = async (db: Queryable, statement: Statement) =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id);
const selectCount = async (db: Queryable, statement: Statement) =>
  (await db.query<{ n: number }>(statement)).rows[0]?.n ?? 0;

async function buildListStatements(db: Queryable, caller: Caller, listing: DocumentListing) {
  const { filter, order, page } = listing;
  const { filtered, readable, values } = buildConditions(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, direction } = toSortOrder(order);
  const sortKeyOrder = `sort_key ${direction}, id ${direction}`;
  const isByScope = await canReadByScope(db, caller, limit + offset);
  const read = isByScope ? selectByScope : selectInOrder;
  return {
    selectPage: read(caller, listing),
    selectTotal: (limit?: number) => (isAdmin(caller) ? countInOrder : countByScope)(caller, filter, limit),
    selectMatches: {
      text: `select count(*) as scanned, count(*) filter (where readable) as n,
          (array_agg(id order by ${sortKeyOrder}) filter (where readable))[${offset + 1}:${offset + limit}] as ids
        from (select d.id, ${column} as sort_key, ${readable} as readable from documents d where ${filtered} limit ${MAX_SORTED_MATCHES + 1}) as rows`,
      values,
    },
  };
}

/** Documents scanned in list order for frequent terms: per row of the page, and per row before it. */
const SCAN_FACTOR = { perRow: 20, perSkippedRow: 10 };

/** `minScannedRows`: of the scan for frequent terms. */
export type SearchListing = DocumentListing & { search: Search; minScannedRows?: number };
type MatchCount = { n: number; ids: string[] | null; is_all: boolean };

/**
 * Each source has an index and is queried separately. For very frequent terms, a scan in list order finds the page
 * quickly. Statements are not prepared, because the best plan depends on the values.
 */
export async function searchDocuments(db: Queryable, caller: Caller, query: SearchListing): Promise<DocumentMatches> {
  const statements = buildSearchStatements(caller, query);
  if (statements === undefined) return { ids: [], total: 0, hasMore: false };
  const { selectLimited, selectByScan, selectAll } = statements;
  const matches = await countMatches(db, selectLimited);
  const total = searchTotal(matches.n);
  if (matches.is_all) return { ids: matches.ids ?? [], ...total };
  const { rows } = await db.query<{ id: string }>(selectByScan);
  if (rows.length === query.page.limit) return { ids: rows.map(({ id }) => id), ...total };
  return { ids: (await countMatches(db, selectAll)).ids ?? [], ...total };
}

/** Returns no ids. */
export async function countDocuments(db: Queryable, caller: Caller, query: SearchListing): Promise<DocumentMatches> {
  const statements = buildSearchStatements(caller, query);
  const n = statements === undefined ? 0 : (await countMatches(db, statements.selectLimited)).n;
  return { ids: [], ...searchTotal(n) };
}

const countMatches = async (db: Queryable, statement: Statement): Promise<MatchCount> =>
  (await db.query<MatchCount>(statement)).rows[0] ?? { n: 0, ids: null, is_all: true };

/** An index to search, as a join with documents `d` and a condition, and as a condition on a single document. */
type SearchSource = { from: string; where: string; documentCondition: string };

/** Numbers its parameters from `firstParameter`. */
function buildSearchSources(
  { text, uploaders }: Search,
  firstParameter: number,
): { sources: SearchSource[]; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${firstParameter - 1 + values.push(value)}`;
  const sources: SearchSource[] = [];
  const fields = searchConditions('d.search', text, parameter).join(' and ');
  if (fields !== '') sources.push({ from: 'documents d', where: fields, documentCondition: fields });
  if (uploaders.length > 0) {
    const isUploader = `d.uploaded_by = any(${parameter(uploaders)}::text[])`;
    sources.push({ from: 'documents d', where: isUploader, documentCondition: isUploader });
  }
  const terms = queryTerms(text);
  if (terms !== undefined) {
    const searchTerms = `${parameter(terms)}::tsquery`;
    sources.push({
      from: 'object_texts t join documents d on d.object_key = t.object_key',
      // A subquery hides the value from the planner, which then assumes few matches and uses the index. With the
      // value, it would prefer a scan for frequent terms, underestimating the cost of reading the words, which are
      // long and stored separately.
      where: `t.words @@ (select ${searchTerms})`,
      documentCondition: `coalesce((select t.words @@ ${searchTerms} from object_texts t where t.object_key = d.object_key), false)`,
    });
  }
  return { sources, values };
}

function buildSearchStatements(caller: Caller, { filter, search, order, page, minScannedRows = 0 }: SearchListing) {
  const { limit, offset } = toLimits(page);
  const { filtered, readable, values: readerValues } = buildConditions(caller, filter);
  const { sources, values: searchValues } = buildSearchSources(search, readerValues.length + 1);
  if (sources.length === 0) return undefined;
  const values = [...readerValues, ...searchValues];
  const { column, orderBy, direction } = toSortOrder(order);
  const totalAndPage = `count(*) as n,
    (array_agg(id order by sort_key ${direction}, id ${direction}))[${offset + 1}:${offset + limit}] as ids`;
  const union = sources.map((_, step) => `select id, sort_key from match${step}`).join(' union ');
  const selectFrom = ({ from, where }: SearchSource) =>
    `select d.id, ${column} as sort_key from ${from} where ${where} and ${filtered} and ${readable}`;
  const isFull = (step: number) => `(select count(*) from match${step}) = ${COUNT_LIMIT}`;
  const limitedMatches = sources.map((source, step) => {
    // Once an earlier index reaches the limit, the later ones are not searched.
    const earlierNotFull = sources.slice(0, step).map((_, earlier) => ` and not ${isFull(earlier)}`);
    return `match${step} as materialized (${selectFrom(source)}${earlierNotFull.join('')} limit ${COUNT_LIMIT})`;
  });
  const allMatches = sources.map((source, step) => `match${step} as materialized (${selectFrom(source)})`);
  const isComplete = sources.map((_, step) => `not ${isFull(step)}`).join(' and ');
  const scanLimit = Math.max(minScannedRows, SCAN_FACTOR.perRow * limit + SCAN_FACTOR.perSkippedRow * offset);
  const scan = `select d.* from documents d where ${readable} and ${filtered} order by ${orderBy} limit ${scanLimit}`;
  return {
    selectLimited: {
      text: `with ${limitedMatches.join(', ')} select ${totalAndPage}, ${isComplete} as is_all from (${union}) as found`,
      values,
    },
    selectAll: {
      text: `with ${allMatches.join(', ')} select ${totalAndPage}, true as is_all from (${union}) as found`,
      values,
    },
    selectByScan: {
      text: `select d.id from (${scan}) as d where ${sources.map(({ documentCondition }) => documentCondition).join(' or ')}
        limit ${limit} offset ${offset}`,
      values,
    },
  };
}
