import type { Caller } from '@atrium/service-kit/http/authenticate';
import { withValues } from '@atrium/service-kit/postgres/find-page';
import { idsSharedWith, READABLE, READER, readerOf } from '../documents/visibility.ts';

export type DocumentFilter = {
  kind?: readonly string[] | undefined;
  visibility?: readonly string[] | undefined;
  uploadedBy?: string | undefined;
  project?: string | undefined;
  tag?: string | undefined;
};

/** The search text, and the users whose name matches it. */
export type Search = { text: string; uploaders: readonly string[] };

export type DocumentOrder = { sortBy: 'createdAt' | 'name' | 'size'; sortOrder: 'asc' | 'desc' };
export type DocumentPage = { page: number; limit: number };
export type DocumentListing = {
  filter: DocumentFilter;
  search?: Search | undefined;
  order: DocumentOrder;
  page: DocumentPage;
};

/** Ids of a page in order. `more`: there are more than `total`. */
export type Found = { ids: string[]; total: number; more: boolean };

export type Statement = { text: string; values: unknown[] };

/** SQL conditions on documents `d` with their values: the filter, and what the caller can read. */
export type Conditions = { filtered: string; readable: string; values: unknown[] };

export function conditionsOf(caller: Caller, filter: DocumentFilter): Conditions {
  const reader = readerOf(caller);
  const conditions = withValues(
    {
      'document_kind(d.mimetype, d.extension) = any(?::text[])': filter.kind,
      'd.visibility = any(?::text[])': filter.visibility,
      'd.uploaded_by = ?': filter.uploadedBy,
      'd.project_id = ?': filter.project,
      'd.tags @> array[?]::text[]': filter.tag || undefined,
    },
    reader.length,
  );
  const isPrivateOnly = caller.role !== 'admin' && filter.visibility?.every((one) => one === 'private');
  const filtered = isPrivateOnly ? `${conditions.where} and ${PRIVATE}` : conditions.where;
  return { filtered, readable: READABLE, values: [...reader, ...conditions.values] };
}

/** Of private documents, `$1` can read very few: found by index instead of testing each row. */
const PRIVATE = `(d.uploaded_by = $1 or d.id = any(${idsSharedWith(READER).join(' || ')}))`;

const SORT_COLUMNS = { createdAt: 'd.created_at', name: 'lower(d.name)', size: 'd.size' } as const;

/** The order as SQL, with the id as tie-breaker. */
export function orderOf({ sortBy, sortOrder }: DocumentOrder) {
  const direction = sortOrder === 'asc' ? 'asc' : 'desc';
  const column = SORT_COLUMNS[sortBy];
  return { column, orderBy: `${column} ${direction}, d.id ${direction}`, direction };
}
