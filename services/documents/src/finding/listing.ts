import type { Caller } from '@atrium/service-kit/http/authenticate';
import { withValues } from '@atrium/service-kit/postgres/find-page';
import { READABLE, readerOf } from '../documents/visibility.ts';

/** What a list is narrowed to. */
export type DocumentFilter = {
  kind?: readonly string[] | undefined;
  visibility?: readonly string[] | undefined;
  uploadedBy?: string | undefined;
  project?: string | undefined;
  tag?: string | undefined;
};

/** What is searched: the text as it was typed, and the people whose name has it. */
export type Search = { text: string; uploaders: readonly string[] };

export type DocumentOrder = { sortBy: 'createdAt' | 'name' | 'size'; sortOrder: 'asc' | 'desc' };
export type DocumentPage = { page: number; limit: number };
export type DocumentListing = {
  filter: DocumentFilter;
  search?: Search | undefined;
  order: DocumentOrder;
  page: DocumentPage;
};

/** A condition on documents `d` as SQL, with the values of its parameters. */
export type Condition = { where: string; values: unknown[] };

/** What the caller may read of what a filter leaves. */
export function conditionOf(caller: Caller, filter: DocumentFilter): Condition {
  const reader = readerOf(caller);
  const given = withValues(
    {
      'document_kind(d.mimetype, d.extension) = any(?::text[])': filter.kind,
      'd.visibility = any(?::text[])': filter.visibility,
      'd.uploaded_by = ?': filter.uploadedBy,
      'd.project_id = ?': filter.project,
      'd.tags @> array[?]::text[]': filter.tag || undefined,
    },
    reader.length,
  );
  return { where: `${READABLE} and ${given.where}`, values: [...reader, ...given.values] };
}

/** Whether anything holds the list back, so that no more than a thousand of it are counted. */
export const isNarrowed = (filter: DocumentFilter) => Object.values(filter).some((value) => value !== undefined);

const SORT_COLUMNS = { createdAt: 'd.created_at', name: 'lower(d.name)', size: 'd.size' } as const;

/** The order as SQL, with the id to make it total. */
export function orderOf({ sortBy, sortOrder }: DocumentOrder) {
  const direction = sortOrder === 'asc' ? 'asc' : 'desc';
  const column = SORT_COLUMNS[sortBy];
  return { column, orderBy: `${column} ${direction}, d.id ${direction}`, direction };
}
