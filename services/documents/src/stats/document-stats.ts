import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Coalescer } from '@atrium/service-kit/process/coalesce-computations';
import { isAdmin, readableOutsideScopes, readerOf, SCOPES } from '../documents/visibility.ts';
import { selectReadable } from '../search/list-statements.ts';

/** Concurrent requests by the same reader share a computation. */
export function getDocumentStats(
  { db, coalesceStats }: { db: Db; coalesceStats: Coalescer<DocumentStats> },
  caller: Caller,
) {
  const reader = isAdmin(caller) ? 'admin' : JSON.stringify(readerOf(caller));
  return coalesceStats(reader, () => computeStats(db, caller));
}

type DocumentSums = { total: number; totalSize: number; recentUploads: number; categories: number };
type DownloadedDocument = { _id: string; name: string; downloads: number };
export type DocumentStats = DocumentSums & { mostDownloaded: DownloadedDocument[] };

const MAX_LISTED = 5;

async function computeStats(db: Queryable, caller: Caller): Promise<DocumentStats> {
  const [sums, mostDownloaded] = await Promise.all([sumDocuments(db, caller), listMostDownloaded(db, caller)]);
  return { ...sums, mostDownloaded };
}

/** Groups by tags first: few combinations exist, so one pass counts both documents and tags. */
async function sumDocuments(db: Queryable, caller: Caller): Promise<DocumentSums> {
  const { text, values } = selectReadable(caller, 'd.size, d.tags, d.created_at');
  const { rows } = await db.query<DocumentSums>(
    `with counted as (
       select tags, count(*)::int as n, sum(size)::bigint as bytes,
              (count(*) filter (where created_at > now() - interval '7 days'))::int as recent
       from (${text}) as readable group by tags
     )
     select coalesce(sum(n), 0) as total,
            coalesce(sum(bytes), 0)::bigint as "totalSize",
            coalesce(sum(recent), 0) as "recentUploads",
            (select count(*) from (select distinct unnest(tags) from counted) as used) as categories
     from counted`,
    values,
  );
  const [sums] = rows;
  if (!sums) throw new Error('Document statistics query returned no row');
  return sums;
}

async function listMostDownloaded(db: Queryable, caller: Caller): Promise<DownloadedDocument[]> {
  const topRows = `order by p.downloads desc, p.document_id desc limit ${MAX_LISTED}`;
  const readableCandidates = `with reader as materialized (select ${SCOPES} as scopes),
    candidates as (
      select t.document_id from unnest((select scopes from reader)) as s (scope) cross join lateral (
        select p.document_id from document_popularity p where p.scope = s.scope ${topRows}
      ) as t
      union select d.id from documents d where ${readableOutsideScopes('(select scopes from reader)')} and d.downloads > 0
    )`;
  const allCandidates = `with candidates as (select p.document_id from document_popularity p ${topRows})`;
  const { rows } = await db.query<DownloadedDocument>(
    `${isAdmin(caller) ? allCandidates : readableCandidates}
      select d.id as _id, d.name, d.downloads from candidates c join documents d on d.id = c.document_id
      order by d.downloads desc, d.id desc limit ${MAX_LISTED}`,
    isAdmin(caller) ? [] : readerOf(caller),
  );
  return rows;
}
