import { MAX_PAGED_ROWS } from '@atrium/proto-events/fields';

type PageParams = { page: number; limit: number; more?: boolean };

/**
 * Wraps one page of a list: `{ data, total, page, totalPages }`, with `more: true` where a search found more than `total` says
 * (decisions, sections 1 and 10). An empty list has no pages, and what lies beyond the rows that pages reach is on none.
 */
export function toPage<T>(data: T[], total: number, { page, limit, more = false }: PageParams) {
  return { data, total, page, totalPages: pagesOf(total, limit), ...(more && { more }) };
}

/** The rows of a page as SQL counts them: so many, after so many others. */
export type Limits = { limit: number; offset: number };

/** Where a page's rows stand in the whole list. */
export const toLimits = ({ page, limit }: { page: number; limit: number }): Limits => ({
  limit,
  offset: (page - 1) * limit,
});

const pagesOf = (total: number, limit: number) =>
  Math.min(Math.ceil(total / limit), Math.floor(MAX_PAGED_ROWS / limit));
