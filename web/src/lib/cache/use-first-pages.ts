import useSWR, { type SWRResponse } from 'swr';
import { read } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';

type Page<Item> = { data: Item[]; total: number; more?: true | undefined; page: number; totalPages: number };

/**
 * The first pages of a list as one, so that whoever asked for more keeps all of it when it is asked for again.
 * `keyOfPage` is made by `keyOf`; each page has the `limit` that it names. `More` is what the answer has beside a page.
 */
export function useFirstPages<Item extends { _id: string }, More extends object = object>(
  keyOfPage: (page: number) => string,
  pages: number,
): SWRResponse<Page<Item> & More, ApiError> {
  // Begins with the list's path, as every key does, and is none of a single page.
  const key = `${keyOfPage(1)}&pages=${pages}`;
  return useSWR<Page<Item> & More, ApiError>(key, async () => {
    const first = (await read(keyOfPage(1))) as Page<Item> & More;
    // The address may ask for any number; there are only so many.
    const others = Array.from({ length: Math.min(pages, first.totalPages) - 1 }, (_, index) => index + 2);
    const rest = await Promise.all(others.map((page) => read(keyOfPage(page))));
    return joined(first, rest as (Page<Item> & More)[]);
  });
}

/** What moved from one page to the next between two answers is there once. */
function joined<Item extends { _id: string }, Answer extends Page<Item>>(first: Answer, rest: Answer[]): Answer {
  const byId = new Map([first, ...rest].flatMap(({ data }) => data).map((item) => [item._id, item]));
  return { ...(rest.at(-1) ?? first), data: [...byId.values()] };
}
