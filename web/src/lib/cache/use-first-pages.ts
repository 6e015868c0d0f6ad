import useSWR, { type SWRResponse } from 'swr';
import { read } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';

type Page<Item> = { data: Item[]; total: number; more?: true | undefined; page: number; totalPages: number };

/**
 * The first pages of a list as one, so that whoever asked for more keeps all of it when it is asked for again.
 * `keyOfPage` is made by `keyOf`; each page has the `limit` that it names.
 */
export function useFirstPages<Item extends { _id: string }>(
  keyOfPage: (page: number) => string,
  pages: number,
): SWRResponse<Page<Item>, ApiError> {
  // Begins with the list's path, as every key does, and is none of a single page.
  const key = `${keyOfPage(1)}&pages=${pages}`;
  return useSWR<Page<Item>, ApiError>(key, async () => {
    const first = (await read(keyOfPage(1))) as Page<Item>;
    // The address may ask for any number; there are only so many.
    const others = Array.from({ length: Math.min(pages, first.totalPages) - 1 }, (_, index) => index + 2);
    const rest = await Promise.all(others.map((page) => read(keyOfPage(page))));
    return joined([first, ...(rest as Page<Item>[])]);
  });
}

/** What moved from one page to the next between two answers is there once. */
function joined<Item extends { _id: string }>(answers: Page<Item>[]): Page<Item> {
  const byId = new Map(answers.flatMap(({ data }) => data).map((item) => [item._id, item]));
  const last = answers.at(-1);
  return {
    data: [...byId.values()],
    total: last?.total ?? 0,
    more: last?.more,
    page: last?.page ?? 1,
    totalPages: last?.totalPages ?? 0,
  };
}
