import { MAX_PAGED_ROWS } from '@atrium/proto-events/fields';

type PageParams = { page: number; limit: number; hasMore?: boolean; asOf?: string };

/**
 * `hasMore`: a search found more than `total`. `totalPages` is 0 for an empty list, and never more than the page limit
 * allows. `asOf`: the transactions that the total includes.
 */
export function toPage<T>(data: T[], total: number, { page, limit, hasMore = false, asOf }: PageParams) {
  return {
    data,
    total,
    page,
    totalPages: countPages(total, limit),
    ...(hasMore && { more: true as const }),
    ...(asOf && { asOf }),
  };
}

export type Limits = { limit: number; offset: number };

export const toLimits = ({ page, limit }: { page: number; limit: number }): Limits => ({
  limit,
  offset: (page - 1) * limit,
});

const countPages = (total: number, limit: number) =>
  Math.min(Math.ceil(total / limit), Math.floor(MAX_PAGED_ROWS / limit));
