import { MAX_PAGED_ROWS } from '@atrium/proto-events/fields';

type PageParams = { page: number; limit: number; more?: boolean };

/** `more`: a search found more than `total`. An empty list has no pages, and rows beyond the page limit are on none. */
export function toPage<T>(data: T[], total: number, { page, limit, more = false }: PageParams) {
  return { data, total, page, totalPages: pagesOf(total, limit), ...(more && { more }) };
}

export type Limits = { limit: number; offset: number };

export const toLimits = ({ page, limit }: { page: number; limit: number }): Limits => ({
  limit,
  offset: (page - 1) * limit,
});

const pagesOf = (total: number, limit: number) =>
  Math.min(Math.ceil(total / limit), Math.floor(MAX_PAGED_ROWS / limit));
