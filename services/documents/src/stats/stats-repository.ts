import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isAdmin, READABLE, READABLE_OUTSIDE_SCOPES, readerOf, SCOPES } from '../documents/visibility.ts';

export type DocumentSums = { total: number; total_size: number; recent_uploads: number; categories: number };
type Downloaded = { id: string; name: string; downloads: number };

const MAX_LISTED = 5;

/**
 * Sums of the reader's own scopes, plus other documents shared with them. `$1` and `$2` are the reader's. Scopes are a separate query, so
 * that they are evaluated once and the sums use their index.
 */
const READER_TOTALS = {
  scopes: `mine as materialized (select ${SCOPES} as scopes)`,
  isMine: 'scope = any((select scopes from mine)::text[])',
  outsideScopes: `outside_scopes as materialized (
    select d.id, d.size, d.created_at, d.tags, d.downloads from documents d where ${READABLE_OUTSIDE_SCOPES('(select scopes from mine)')})`,
};
const ADMIN_TOTALS = {
  scopes: 'mine as (select 1)',
  isMine: 'true',
  outsideScopes:
    'outside_scopes as (select d.id, d.size, d.created_at, d.tags, d.downloads from documents d where false)',
};
const partsFor = (caller: Caller) => (isAdmin(caller) ? ADMIN_TOTALS : READER_TOTALS);

/** The partial hour at the edge: only part of its sum belongs to the last seven days. */
const FIRST_FULL_HOUR = `date_trunc('hour', now() - interval '7 days', 'UTC') + interval '1 hour'`;

export async function sumDocuments(db: Queryable, caller: Caller): Promise<DocumentSums> {
  const { scopes, isMine, outsideScopes } = partsFor(caller);
  const { rows } = await db.query<DocumentSums>({
    name: `sum-documents-${isAdmin(caller) ? 'all' : 'own'}`,
    text: `with ${scopes}, ${outsideScopes},
      sums as (
        select coalesce(sum(documents), 0)::bigint as documents, coalesce(sum(bytes), 0)::bigint as bytes,
               coalesce(sum(documents) filter (where hour >= ${FIRST_FULL_HOUR}), 0)::bigint as recent
        from document_totals where tag = '' and ${isMine}
      ),
      tags as (
        (select tag from document_totals where tag <> '' and ${isMine} group by scope, tag having sum(documents) > 0)
        union (select unnest(tags) from outside_scopes)
      )
      select documents + (select count(*) from outside_scopes) as total,
             bytes + (select coalesce(sum(size), 0)::bigint from outside_scopes) as total_size,
             recent + (select count(*) from outside_scopes where created_at >= ${FIRST_FULL_HOUR}) + (
               select count(*) from documents d where d.created_at > now() - interval '7 days' and d.created_at < ${FIRST_FULL_HOUR} and ${READABLE}
             ) as recent_uploads,
             (select count(*) from tags) as categories
      from sums`,
    values: readerOf(caller),
  });
  return rows[0] ?? { total: 0, total_size: 0, recent_uploads: 0, categories: 0 };
}

export async function countDocuments(db: Queryable, caller: Caller): Promise<number> {
  const { scopes, isMine, outsideScopes } = partsFor(caller);
  const { rows } = await db.query<{ n: number }>({
    name: `count-documents-${isAdmin(caller) ? 'all' : 'own'}`,
    text: `with ${scopes}, ${outsideScopes}
      select (select coalesce(sum(documents), 0)::bigint from document_totals where tag = '' and ${isMine})
        + (select count(*) from outside_scopes) as n
      where $1::text is not null and $2::text[] is not null`,
    values: readerOf(caller),
  });
  return rows[0]?.n ?? 0;
}

/** The most downloaded readable documents: the first of each scope, and others shared with the reader. */
export async function listMostDownloaded(db: Queryable, caller: Caller): Promise<Downloaded[]> {
  const { scopes, outsideScopes } = READER_TOTALS;
  const most = `order by p.downloads desc, p.document_id desc limit ${MAX_LISTED}`;
  const own = `with ${scopes}, ${outsideScopes},
    first as (
      select f.document_id from unnest((select scopes from mine)) as of_mine (scope) cross join lateral (
        select p.document_id from document_popularity p where p.scope = of_mine.scope ${most}
      ) as f
      union select id from outside_scopes where downloads > 0
    )`;
  const all = `with first as (select p.document_id from document_popularity p
    where $1::text is not null and $2::text[] is not null ${most})`;
  const { rows } = await db.query<Downloaded>({
    name: `most-downloaded-${isAdmin(caller) ? 'all' : 'own'}`,
    text: `${isAdmin(caller) ? all : own}
      select d.id, d.name, d.downloads from first f join documents d on d.id = f.document_id
      order by d.downloads desc, d.id desc limit ${MAX_LISTED}`,
    values: readerOf(caller),
  });
  return rows;
}
