import { PAGED_ROWS } from '@atrium/proto-events/fields';

/**
 * Wraps one page of a list: `{ data, total, page, totalPages }` (decisions, section 1). An empty list has no pages, and what lies
 * beyond the rows that pages reach is on none.
 */
export function toPage<T>(data: T[], total: number, { page, limit }: { page: number; limit: number }) {
  return { data, total, page, totalPages: pagesOf(total, limit) };
}

const pagesOf = (total: number, limit: number) => Math.min(Math.ceil(total / limit), Math.floor(PAGED_ROWS / limit));
