import { useCallback, useMemo } from 'react';
import { type Cache, useSWRConfig } from 'swr';
import type { ScopedMutator } from 'swr/_internal';
import { read } from '#lib/api/api.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { createRefetch, type Refetch } from './refetch.ts';
import { toOutcome } from './refetch-scheduler.ts';
import { itemsOf } from './stale-queries.ts';

export function useRefetch(): Refetch {
  const { mutate, cache } = useSWRConfig();
  return useMemo(() => getRefetch(cache, mutate), [mutate, cache]);
}

const refetchByCache = new WeakMap<Cache, Refetch>();

function getRefetch(cache: Cache, mutate: ScopedMutator): Refetch {
  const existing = refetchByCache.get(cache);
  if (existing) return existing;
  const refetch = createRefetch(cache, {
    async revalidate(key) {
      // A discarded cache requests nothing.
      await mutate(key).catch(() => undefined);
      return toOutcome(cache.get(key)?.error);
    },
    async fetchItems(path, key) {
      // No component observes the list anymore; its next observer fetches all of it.
      if (cache instanceof QueryCache && !cache.isObserved(key)) return { items: null, ...toOutcome(undefined) };
      try {
        return { items: itemsOf(await read(path)), ...toOutcome(undefined) };
      } catch (error) {
        return { items: null, ...toOutcome(error) };
      }
    },
    show: (key, response) => void mutate(key, response, { revalidate: false }),
    isVisible: () => document.visibilityState !== 'hidden',
    onceVisible: (callback) => document.addEventListener('visibilitychange', callback, { once: true }),
  });
  refetchByCache.set(cache, refetch);
  return refetch;
}

/**
 * Does not report failures: the write has succeeded, and failed refetches are retried. Each user has a separate cache, which
 * SWR's global `mutate` does not reach.
 */
export function useRefetchPaths(): (...paths: readonly string[]) => void {
  const refetch = useRefetch();
  return useCallback(
    (...paths) => refetch((key) => paths.some((path) => key.startsWith(path)), { isImmediate: true }),
    [refetch],
  );
}
