import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isAdmin, READABLE_OUTSIDE_SCOPES, readerOf, SCOPES } from '../documents/visibility.ts';
import { conditionsOf, type DocumentFilter, type DocumentListing, orderOf, type Statement } from './listing.ts';

/** Rows that the scopes of one reader may contribute to a page in total. */
const MAX_MERGED_ROWS = 100_000;
/** Those of everyone, and the reader's own. */
const SCOPES_OF_EVERY_READER = 2;

/**
 * Whether to read a page from the scopes of its reader instead of testing all documents in order: not for administrators, who can read
 * everything, nor for pages so deep that merging would cost more.
 */
export async function canReadByScope(db: Queryable, caller: Caller, rowsPerScope: number): Promise<boolean> {
  if (isAdmin(caller)) return false;
  const { rows } = await db.query<{ n: number }>('select count(*) as n from project_people where user_id = $1', [
    caller.userId,
  ]);
  return ((rows[0]?.n ?? 0) + SCOPES_OF_EVERY_READER) * rowsPerScope <= MAX_MERGED_ROWS;
}

const SCOPE_OF = 'document_scope(d.visibility, d.project_id, d.uploaded_by)';
const ALL_SCOPES = '(select array_agg(scope) from scopes)';

/** A page of each scope along its index, merged with what else is shared with the reader. */
export function readByScope(caller: Caller, { filter, order, page }: DocumentListing): Statement {
  const { filtered, values } = conditionsOf(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, orderBy, direction } = orderOf(order);
  const maxCount = limit + offset;
  return {
    text: `with scopes as materialized (select unnest(${SCOPES}) as scope)
      select id from (
        select f.id, f.place from scopes cross join lateral (
          select d.id, ${column} as place from documents d where ${SCOPE_OF} = scopes.scope and ${filtered}
          order by ${orderBy} limit ${maxCount}
        ) as f
        union all (
          select d.id, ${column} as place from documents d where ${READABLE_OUTSIDE_SCOPES(ALL_SCOPES)} and ${filtered}
          order by ${orderBy} limit ${maxCount}
        )
      ) as found order by place ${direction}, id ${direction} limit ${limit} offset ${offset}`,
    values,
  };
}

/** Columns of all documents `d` that the caller can read, in any order. */
export function selectReadable(caller: Caller, columns: string): Statement {
  if (isAdmin(caller)) return { text: `select ${columns} from documents d`, values: [] };
  return {
    text: `with scopes as materialized (select unnest(${SCOPES}) as scope)
      select ${columns} from scopes join documents d on ${SCOPE_OF} = scopes.scope
      union all select ${columns} from documents d where ${READABLE_OUTSIDE_SCOPES(ALL_SCOPES)}`,
    values: readerOf(caller),
  };
}

/** The number of readable documents, up to a limit. */
export function countByScope(caller: Caller, filter: DocumentFilter, most?: number): Statement {
  const { filtered, values } = conditionsOf(caller, filter);
  return {
    text: `with scopes as materialized (select unnest(${SCOPES}) as scope)
      select count(*) as n from (
        (select from scopes join documents d on ${SCOPE_OF} = scopes.scope and ${filtered} ${limitTo(most)})
        union all
        (select from documents d where ${READABLE_OUTSIDE_SCOPES(ALL_SCOPES)} and ${filtered} ${limitTo(most)})
        ${limitTo(most)}
      ) as counted`,
    values,
  };
}

export function readInOrder(caller: Caller, { filter, order, page }: DocumentListing): Statement {
  const { filtered, readable, values } = conditionsOf(caller, filter);
  const { limit, offset } = toLimits(page);
  const { orderBy } = orderOf(order);
  return {
    text: `select d.id from documents d where ${readable} and ${filtered} order by ${orderBy} limit ${limit} offset ${offset}`,
    values,
  };
}

export function countInOrder(caller: Caller, filter: DocumentFilter, most?: number): Statement {
  const { filtered, readable, values } = conditionsOf(caller, filter);
  return {
    text: `select count(*) as n from (select from documents d where ${readable} and ${filtered} ${limitTo(most)}) as counted`,
    values,
  };
}

const limitTo = (most: number | undefined) => (most === undefined ? '' : `limit ${most}`);
