import { useCallback, useMemo } from 'react';
import { type Cache, useSWRConfig } from 'swr';
import type { ScopedMutator } from 'swr/_internal';
import { read } from '#lib/api/api.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { createRefetch, type Refetch } from './refetch.ts';
import { outcomeOf } from './refetch-scheduler.ts';
import { itemsOf } from './stale-queries.ts';

export function useRefetch(): Refetch {
  const { mutate, cache } = useSWRConfig();
  return useMemo(() => refetchFor(cache, mutate), [mutate, cache]);
}

const known = new WeakMap<Cache, Refetch>();

function refetchFor(cache: Cache, mutate: ScopedMutator): Refetch {
  const existing = known.get(cache);
  if (existing) return existing;
  const refetch = createRefetch(cache, {
    async refetchKey(key) {
      // A discarded cache requests nothing.
      await mutate(key).catch(() => undefined);
      return outcomeOf(cache.get(key)?.error);
    },
    async fetchItems(path, key) {
      // Unobserved in the meantime: the next observer fetches the whole list.
      if (cache instanceof QueryCache && !cache.isObserved(key)) return { items: null, ...outcomeOf(undefined) };
      try {
        return { items: itemsOf(await read(path)), ...outcomeOf(undefined) };
      } catch (error) {
        return { items: null, ...outcomeOf(error) };
      }
    },
    show: (key, response) => void mutate(key, response, { revalidate: false }),
    isVisible: () => document.visibilityState !== 'hidden',
    onceVisible: (then) => document.addEventListener('visibilitychange', then, { once: true }),
  });
  known.set(cache, refetch);
  return refetch;
}

/**
 * Failures are not reported: the write has succeeded, and `useCacheUpdate` shows it. The cache is per user,
 * so SWR's global `mutate` does not reach it.
 */
export function useRefetchPaths(): (...paths: readonly string[]) => void {
  const refetch = useRefetch();
  return useCallback(
    (...paths) => refetch((key) => paths.some((path) => key.startsWith(path)), { isImmediate: true }),
    [refetch],
  );
}
