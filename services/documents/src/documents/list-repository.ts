import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type DocumentRow } from './document-repository.ts';
import { READABLE, readerOf } from './visibility.ts';

/** The documents on a page that the caller may read now, in the order of the ids. */
export async function readRows(db: Queryable, caller: Caller, ids: readonly string[]): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<DocumentRow>({
    name: 'read-documents',
    text: `select ${COLUMNS} from documents d where d.id = any($3) and ${READABLE} order by array_position($3, d.id)`,
    values: [...readerOf(caller), ids],
  });
  return rows;
}

export type DocumentSums = { total: number; total_size: number; recent_uploads: number; categories: number };

/** Sums over what the caller may read. */
export async function sumDocuments(db: Queryable, caller: Caller): Promise<DocumentSums> {
  const { rows } = await db.query<DocumentSums>({
    name: 'sum-documents',
    text: `with readable as materialized (select d.size, d.created_at, d.tags from documents d where ${READABLE})
      select count(*) as total,
             coalesce(sum(size), 0)::bigint as total_size,
             count(*) filter (where created_at > now() - interval '7 days') as recent_uploads,
             (select count(distinct tag) from readable, unnest(tags) tag) as categories
      from readable`,
    values: readerOf(caller),
  });
  return rows[0] ?? { total: 0, total_size: 0, recent_uploads: 0, categories: 0 };
}

/** The five that were downloaded most among those the caller may read. */
export async function listMostDownloaded(db: Queryable, caller: Caller) {
  const { rows } = await db.query<{ id: string; name: string; downloads: number }>({
    name: 'most-downloaded',
    text: `select d.id, d.name, d.downloads from documents d
      where d.downloads > 0 and ${READABLE} order by d.downloads desc, d.id desc limit 5`,
    values: readerOf(caller),
  });
  return rows;
}
