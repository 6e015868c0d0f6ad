/** Wraps one page of a list: `{ data, total, page, totalPages }` (decisions, section 1). An empty list has no pages. */
export function toPage<T>(data: T[], total: number, { page, limit }: { page: number; limit: number }) {
  return { data, total, page, totalPages: Math.ceil(total / limit) };
}
