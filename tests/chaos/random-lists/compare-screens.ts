import { read } from '@atrium/web/lib/api/api';
import { ApiError, isFinal } from '@atrium/web/lib/api/api-error';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import { listDifferences } from '../../live/comparable.ts';
import type { Screens } from './actions.ts';
import { keyOfPages, PAGES, pageOf } from './show-screens.ts';

type Page = { data: { _id: string }[]; total: number; page: number; totalPages: number };

/** Reads all pages as `useInfinitePages` does. */
async function readPages(path: string): Promise<Page> {
  const first = (await read(pageOf(path, 1))) as Page;
  const numbers = Array.from({ length: Math.min(PAGES, first.totalPages) - 1 }, (_, index) => index + 2);
  const others = (await Promise.all(numbers.map((page) => read(pageOf(path, page))))) as Page[];
  const byId = new Map([first, ...others].flatMap(({ data }) => data).map((item) => [item._id, item]));
  return { ...first, page: others.at(-1)?.page ?? first.page, data: [...byId.values()] };
}

/** A screen shows a resource that does not exist, or that the user cannot see, as an error. */
const toStatus = (error: unknown) =>
  error instanceof ApiError && isFinal(error) ? { status: error.status } : undefined;

function getShown(cache: QueryCache, key: string): unknown {
  const { data, error } = cache.get(key) ?? {};
  return toStatus(error) ?? data;
}

async function readFresh(load: () => Promise<unknown>): Promise<unknown> {
  try {
    return await load();
  } catch (error) {
    const status = toStatus(error);
    if (!status) throw error;
    return status;
  }
}

/** The number of the last page that was loaded is not shown. */
const isLastPage = (difference: string) => difference.startsWith('.page:');

const MAX_CONCURRENT_REQUESTS = 4;

/** Compares responses with fresh ones, which do not reach the cache. */
export function createComparison(cache: QueryCache, { keys, lists }: Screens) {
  const loaders = new Map<string, () => Promise<unknown>>([
    ...keys.map((key) => [key, () => read(key)] as const),
    ...lists.map((path) => [keyOfPages(path), () => readPages(path)] as const),
  ]);
  let different = new Map<string, string[]>();
  const compareKey = async (key: string): Promise<string[]> => {
    const load = loaders.get(key);
    if (!load) return [];
    const fresh = await readFresh(load);
    if (cache.isInFlight(key)) return [`${key} is being requested`];
    return listDifferences(key, getShown(cache, key), fresh)
      .filter((difference) => !isLastPage(difference))
      .map((difference) => `${key}${difference}`);
  };
  return {
    /** Returns one line per difference. */
    async compare(only?: 'different'): Promise<string[]> {
      const compared = only === 'different' ? [...different.keys()] : [...loaders.keys()];
      different = new Map();
      const work = async () => {
        for (let key = compared.shift(); key !== undefined; key = compared.shift()) {
          const differences = await compareKey(key).catch((error: unknown) => [`${key}: ${error}`]);
          if (differences.length > 0) different.set(key, differences);
        }
      };
      await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, work));
      return [...different.values()].flat();
    },
    countItems: (): number =>
      [...loaders.keys()].reduce((sum, key) => {
        const data = (cache.get(key)?.data as Page | undefined)?.data;
        return sum + (Array.isArray(data) ? data.length : 0);
      }, 0),
  };
}
