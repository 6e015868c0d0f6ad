import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNTED_AT_MOST, searchTotal } from '@atrium/service-kit/postgres/find-page';
import { likePattern, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type DocumentRow } from './document-repository.ts';
import { READABLE, readerOf } from './visibility.ts';

type DocumentFilter = { search: string | undefined; uploaders: readonly string[]; project?: string };
type DocumentOrder = { sortBy: 'createdAt' | 'name' | 'size'; sortOrder: 'asc' | 'desc' };
export type DocumentListing = { filter: DocumentFilter; order: DocumentOrder; page: { page: number; limit: number } };

const SORT_COLUMNS = { createdAt: 'd.created_at', name: 'lower(d.name)', size: 'd.size' } as const;

const MATCHES = `${READABLE} and ($3::text is null
  or d.name ilike $3 or d.description ilike $3 or d.uploaded_by = any($4::text[])
  or exists (select from unnest(d.tags) tag where tag ilike $3))
  and ($5::text is null or d.project_id = $5)`;

/** One page of what the caller may read, and how many there are; a search counts up to 1,000. */
export async function listDocumentRows(db: Queryable, caller: Caller, { filter, order, page }: DocumentListing) {
  const pattern = filter.search ? likePattern(filter.search) : null;
  const values = [...readerOf(caller), pattern, filter.uploaders, filter.project ?? null];
  const { limit, offset } = toLimits(page);
  const direction = order.sortOrder === 'asc' ? 'asc' : 'desc';
  const [list, count] = await Promise.all([
    db.query<DocumentRow>({
      name: `list-documents-${order.sortBy}-${direction}`,
      text: `select ${COLUMNS} from documents d where ${MATCHES}
        order by ${SORT_COLUMNS[order.sortBy]} ${direction}, d.id ${direction} limit $6 offset $7`,
      values: [...values, limit, offset],
    }),
    db.query<{ total: number }>({
      name: 'count-documents',
      text: `select count(*) as total from (select from documents d where ${MATCHES} limit $6) as counted`,
      values: [...values, pattern === null ? null : COUNTED_AT_MOST],
    }),
  ]);
  const total = count.rows[0]?.total ?? 0;
  return { rows: list.rows, ...(pattern === null ? { total, more: false } : searchTotal(total)) };
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
