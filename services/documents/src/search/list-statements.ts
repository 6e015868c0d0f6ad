import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { bindConditions } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import {
  isAdmin,
  READABLE,
  READER,
  readableOutsideScopes,
  readerOf,
  SCOPES,
  sharedDocumentIdsSql,
} from '../documents/visibility.ts';

type DocumentFilter = {
  kind?: readonly string[] | undefined;
  visibility?: readonly string[] | undefined;
  uploadedBy?: string | undefined;
  project?: string | undefined;
  tag?: string | undefined;
  /** What no field (a string of a search text) and no text (a `tsquery`) may contain. */
  excluded?: { needles: string[]; terms: string } | undefined;
  /** Another condition on `d`, with its own values. */
  operators?: (bind: (value: unknown) => string) => string;
};

export type Search = { text: string; uploaders: readonly string[] };

type DocumentOrder = { sortBy: 'createdAt' | 'name' | 'size'; sortOrder: 'asc' | 'desc' };
export type DocumentListing = {
  filter: DocumentFilter;
  order: DocumentOrder;
  page: { page: number; limit: number };
};

/** A page of matching documents. If `hasMore`, there are more than `total`. */
export type DocumentMatches = { ids: string[]; total: number; hasMore: boolean };

export type Statement = { text: string; values: unknown[] };

type Conditions = { filtered: string; readable: string; values: unknown[] };

export function buildConditions(caller: Caller, filter: DocumentFilter): Conditions {
  const reader = readerOf(caller);
  const conditions = bindConditions(
    {
      'document_kind(d.mimetype, d.extension) = any(?::text[])': filter.kind,
      'd.visibility = any(?::text[])': filter.visibility,
      'd.uploaded_by = ?': filter.uploadedBy,
      'd.project_id = ?': filter.project,
      'd.tags @> array[?]::text[]': filter.tag || undefined,
      'not exists (select from unnest(?::text[]) as excluded where strpos(d.search, excluded) > 0)':
        filter.excluded?.needles,
      'not exists (select from object_texts t where t.object_key = d.object_key and t.words @@ ?::tsquery)':
        filter.excluded?.terms || undefined,
    },
    reader.length,
  );
  const values = [...reader, ...conditions.values];
  const operators = filter.operators?.((value) => `$${values.push(value)}`);
  const where = operators === undefined ? conditions.where : `${conditions.where} and ${operators}`;
  const isPrivateOnly = caller.role !== 'admin' && filter.visibility?.every((visibility) => visibility === 'private');
  const filtered = isPrivateOnly ? `${where} and ${PRIVATE}` : where;
  return { filtered, readable: READABLE, values };
}

/** Finds the few private documents that `$1` can read by index, instead of testing each row. */
const PRIVATE = `(d.uploaded_by = $1 or d.id = any(${sharedDocumentIdsSql(READER).join(' || ')}))`;

const SORT_COLUMNS = { createdAt: 'd.created_at', name: 'lower(d.name)', size: 'd.size' } as const;

export function toSortOrder({ sortBy, sortOrder }: DocumentOrder) {
  const direction = sortOrder === 'asc' ? 'asc' : 'desc';
  const column = SORT_COLUMNS[sortBy];
  return { column, orderBy: `${column} ${direction}, d.id ${direction}`, direction };
}

/** Maximum number of rows that all scopes of a reader may contribute to a page. */
const MAX_MERGED_ROWS = 100_000;
/** The scope that everyone can read, and the reader's own. */
const BASE_SCOPE_COUNT = 2;

/** Returns false for administrators, who can read everything, and for pages so deep that merging would cost more. */
export async function canReadByScope(db: Queryable, caller: Caller, rowsPerScope: number): Promise<boolean> {
  if (isAdmin(caller)) return false;
  const { rows } = await db.query<{ n: number }>('select count(*) as n from project_people where user_id = $1', [
    caller.userId,
  ]);
  return ((rows[0]?.n ?? 0) + BASE_SCOPE_COUNT) * rowsPerScope <= MAX_MERGED_ROWS;
}

const SCOPE = 'document_scope(d.visibility, d.project_id, d.uploaded_by)';
const ALL_SCOPES = '(select array_agg(scope) from scopes)';

/** Reads a page of each scope along its index, and merges them with other documents shared with the reader. */
export function selectByScope(caller: Caller, { filter, order, page }: DocumentListing): Statement {
  const { filtered, values } = buildConditions(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, orderBy, direction } = toSortOrder(order);
  const maxCount = limit + offset;
  return {
    text: `with scopes as materialized (select unnest(${SCOPES}) as scope)
      select id from (
        select f.id, f.sort_key from scopes cross join lateral (
          select d.id, ${column} as sort_key from documents d where ${SCOPE} = scopes.scope and ${filtered}
          order by ${orderBy} limit ${maxCount}
        ) as f
        union all (
          select d.id, ${column} as sort_key from documents d where ${readableOutsideScopes(ALL_SCOPES)} and ${filtered}
          order by ${orderBy} limit ${maxCount}
        )
      ) as found order by sort_key ${direction}, id ${direction} limit ${limit} offset ${offset}`,
    values,
  };
}

export function selectReadable(caller: Caller, columns: string): Statement {
  if (isAdmin(caller)) return { text: `select ${columns} from documents d`, values: [] };
  return {
    text: `with scopes as materialized (select unnest(${SCOPES}) as scope)
      select ${columns} from scopes join documents d on ${SCOPE} = scopes.scope
      union all select ${columns} from documents d where ${readableOutsideScopes(ALL_SCOPES)}`,
    values: readerOf(caller),
  };
}

export function countByScope(caller: Caller, filter: DocumentFilter, limit?: number): Statement {
  const { filtered, values } = buildConditions(caller, filter);
  return {
    text: `with scopes as materialized (select unnest(${SCOPES}) as scope)
      select count(*) as n from (
        (select from scopes join documents d on ${SCOPE} = scopes.scope and ${filtered} ${limitClause(limit)})
        union all
        (select from documents d where ${readableOutsideScopes(ALL_SCOPES)} and ${filtered} ${limitClause(limit)})
        ${limitClause(limit)}
      ) as counted`,
    values,
  };
}

export function selectInOrder(caller: Caller, { filter, order, page }: DocumentListing): Statement {
  const { filtered, readable, values } = buildConditions(caller, filter);
  const { limit, offset } = toLimits(page);
  const { orderBy } = toSortOrder(order);
  return {
    text: `select d.id from documents d where ${readable} and ${filtered} order by ${orderBy} limit ${limit} offset ${offset}`,
    values,
  };
}

export function countInOrder(caller: Caller, filter: DocumentFilter, limit?: number): Statement {
  const { filtered, readable, values } = buildConditions(caller, filter);
  return {
    text: `select count(*) as n from (select from documents d where ${readable} and ${filtered} ${limitClause(limit)}) as counted`,
    values,
  };
}

const limitClause = (limit: number | undefined) => (limit === undefined ? '' : `limit ${limit}`);
