import useSWR, { type SWRResponse, useSWRConfig } from 'swr';
import { read } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';
import { DROP_PREVIOUS_ON_ERROR } from './drop-previous-on-error.ts';

type Page<Item> = { data: Item[]; total: number; more?: true | undefined; page: number; totalPages: number };

/**
 * The first pages of a list as one, so that whoever asked for more keeps all of it when it is asked for again; also when one more could not
 * be had. `keyOfPage` is made by `keyOf`; each page has the `limit` that it names. `More` is what the answer has beside a page. Nothing is
 * requested while `pages` is null.
 */
export function useInfinitePages<Item extends { _id: string }, More extends object = object>(
  keyOfPage: KeyOfPage,
  pages: number | null,
): SWRResponse<Page<Item> & More, ApiError> {
  const { cache } = useSWRConfig();
  const answer = useAsOne<Page<Item> & More>(keyOfPage, pages);
  const before = pages === null ? 0 : pages - 1;
  const hasFewer = answer.error !== undefined && cache.get(keyOfFirst(keyOfPage, before))?.data !== undefined;
  const fewer = useAsOne<Page<Item> & More>(keyOfPage, answer.data === undefined && hasFewer ? before : null);
  return { ...answer, data: answer.data ?? (hasFewer ? fewer.data : undefined) };
}

type KeyOfPage = (page: number) => string;

/** Begins with the list's path, as every key does, and is none of a single page. */
const keyOfFirst = (keyOfPage: KeyOfPage, pages: number) => `${keyOfPage(1)}&pages=${pages}`;

function useAsOne<Answer extends Page<{ _id: string }>>(keyOfPage: KeyOfPage, pages: number | null) {
  const key = pages === null ? null : keyOfFirst(keyOfPage, pages);
  return useSWR<Answer, ApiError>(key, () => readFirst<Answer>(keyOfPage, pages ?? 1), DROP_PREVIOUS_ON_ERROR);
}

async function readFirst<Answer extends Page<{ _id: string }>>(keyOfPage: KeyOfPage, pages: number): Promise<Answer> {
  // The type of the answer is the contract's, which the service has parsed it by.
  const first = (await read(keyOfPage(1))) as Answer;
  // The address may ask for any number; there are only so many.
  const others = Array.from({ length: Math.min(pages, first.totalPages) - 1 }, (_, index) => index + 2);
  const rest = await Promise.all(others.map((page) => read(keyOfPage(page))));
  return joined(first, rest as Answer[]);
}

/** What moved from one page to the next between two answers is there once. */
function joined<Answer extends Page<{ _id: string }>>(first: Answer, rest: Answer[]): Answer {
  const byId = new Map([first, ...rest].flatMap(({ data }) => data).map((item) => [item._id, item]));
  return { ...(rest.at(-1) ?? first), data: [...byId.values()] };
}
