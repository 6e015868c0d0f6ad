import useSWR, { type SWRResponse, useSWRConfig } from 'swr';
import { read } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';
import { DROP_PREVIOUS_ON_ERROR } from './use-read.ts';

type Page<Item> = { data: Item[]; total: number; more?: true | undefined; page: number; totalPages: number };

/**
 * Uses one query for all pages, so that a refetch keeps them when the next page fails. `More` contains the fields of the
 * response that do not belong to the page.
 */
export function useInfinitePages<Item extends { _id: string }, More extends object = object>(
  keyOfPage: KeyOfPage,
  pages: number | null,
  readPage: ReadPage = read,
): SWRResponse<Page<Item> & More, ApiError> {
  const { cache } = useSWRConfig();
  const query = usePagesQuery<Page<Item> & More>(keyOfPage, pages, readPage);
  const fewerCount = pages === null ? 0 : pages - 1;
  const hasFewer = query.error !== undefined && cache.get(keyOfPages(keyOfPage, fewerCount))?.data !== undefined;
  const fewerPages = usePagesQuery<Page<Item> & More>(
    keyOfPage,
    query.data === undefined && hasFewer ? fewerCount : null,
    readPage,
  );
  return { ...query, data: query.data ?? (hasFewer ? fewerPages.data : undefined) };
}

type KeyOfPage = (page: number) => string;
type ReadPage = (path: string) => Promise<unknown>;

/** Starts with the path of the list, like every key, and differs from the key of a single page. */
const keyOfPages = (keyOfPage: KeyOfPage, pages: number) => `${keyOfPage(1)}&pages=${pages}`;

function usePagesQuery<Pages extends Page<{ _id: string }>>(
  keyOfPage: KeyOfPage,
  pages: number | null,
  readPage: ReadPage,
) {
  const key = pages === null ? null : keyOfPages(keyOfPage, pages);
  return useSWR<Pages, ApiError>(key, () => readPages<Pages>(keyOfPage, pages ?? 1, readPage), DROP_PREVIOUS_ON_ERROR);
}

/** Reads all pages once more if items were added or removed meanwhile: the total of the first page may lack them. */
async function readPages<Pages extends Page<{ _id: string }>>(
  keyOfPage: KeyOfPage,
  pages: number,
  readPage: ReadPage,
  isRepeated = false,
): Promise<Pages> {
  const first = (await readPage(keyOfPage(1))) as Pages;
  // The URL may request any number of pages.
  const remainingNumbers = Array.from({ length: Math.min(pages, first.totalPages) - 1 }, (_, index) => index + 2);
  const remainingPages = (await Promise.all(remainingNumbers.map((page) => readPage(keyOfPage(page))))) as Pages[];
  const isChanged = remainingPages.some(({ total }) => total !== first.total);
  return isChanged && !isRepeated ? readPages(keyOfPage, pages, readPage, true) : mergePages(first, remainingPages);
}

/**
 * Items that moved between pages during the requests appear once. The total is that of the first page, as of which later
 * changes are applied.
 */
function mergePages<Pages extends Page<{ _id: string }>>(first: Pages, remainingPages: Pages[]): Pages {
  const byId = new Map([first, ...remainingPages].flatMap(({ data }) => data).map((item) => [item._id, item]));
  return { ...first, page: remainingPages.at(-1)?.page ?? first.page, data: [...byId.values()] };
}
