import { useEffect, useEffectEvent } from 'react';
import {
  type BareFetcher,
  type Cache,
  type Middleware,
  type SWRConfiguration,
  unstable_serialize,
  useSWRConfig,
} from 'swr';
import type { ScopedMutator } from 'swr/_internal';
import { FRESH_MS, QueryCache } from './query-cache.ts';
import { refetchStale, type StaleRefetch } from './refetch-stale.ts';

/** The cache of `swrConfig`, without which it throws. */
export function useQueryCache(): QueryCache {
  const { cache } = useSWRConfig();
  if (cache instanceof QueryCache) return cache;
  throw new Error('Missing QueryCache. Render within <SWRConfig value={swrConfig}>.');
}

const refetchByCache = new WeakMap<QueryCache, StaleRefetch>();

/** The title of the tab and the device show notifications of hidden pages. */
const SHOWN_OUTSIDE = '/notifications';

function staleRefetchOf(cache: QueryCache, mutate: ScopedMutator): StaleRefetch {
  const existing = refetchByCache.get(cache);
  if (existing) return existing;
  // A discarded cache shows nothing.
  cache.show = (key, data) => void mutate(key, data, { revalidate: false }).catch(() => undefined);
  const refetch = refetchStale({
    cache,
    async revalidate(key) {
      await mutate(key);
      const error: unknown = cache.get(key)?.error;
      if (error !== undefined) throw error;
    },
    isVisible: (key) => document.visibilityState !== 'hidden' || key.startsWith(SHOWN_OUTSIDE),
    onceVisible: (callback) => document.addEventListener('visibilitychange', callback, { once: true }),
  });
  refetchByCache.set(cache, refetch);
  return refetch;
}

/** Each user has a separate cache, which SWR's global `mutate` does not reach. */
export function useStaleRefetch(): StaleRefetch {
  const { mutate } = useSWRConfig();
  return staleRefetchOf(useQueryCache(), mutate);
}

/** SWR's `dedupingInterval` would skip requests for fresh data too, but keeps all data of that time in memory. */
export const cacheRetention: Middleware = (useNext) => (key, fetcher, config) => {
  const { mutate } = useSWRConfig();
  const queryCache = useQueryCache();
  staleRefetchOf(queryCache, mutate);
  const name = unstable_serialize(key);
  const isFresh = queryCache.dataAge(name) < FRESH_MS && !config.revalidateOnMount;
  // An invalidation between render and mount found no observer, so it is caught up here.
  const refetchIfStale = useEffectEvent(() => {
    if (isFresh && queryCache.dataAge(name) >= FRESH_MS && !queryCache.isInFlight(name)) void mutate(name);
  });
  useEffect(() => {
    if (!name) return undefined;
    const release = queryCache.observe(name);
    refetchIfStale();
    return release;
  }, [queryCache, name]);
  const trackedFetcher = fetcher ? trackRequests(queryCache, fetcher) : fetcher;
  return useNext(key, trackedFetcher, isFresh ? { ...config, revalidateIfStale: false } : config);
};

function trackRequests<Data>(queryCache: QueryCache, fetcher: BareFetcher<Data>): BareFetcher<Data> {
  return async (path: string) => {
    const request = queryCache.startRequest(path);
    try {
      return request.succeed(await fetcher(path)) as Data;
    } catch (error) {
      request.fail(error);
      throw error;
    }
  };
}

/** For queries that no live update covers: they are requested again whenever they are shown. */
export const REFETCH_WHEN_SHOWN = { revalidateOnMount: true } as const;

/** For queries that no live update covers: the browser's `online` event refetches them. */
export const REFETCH_ONLINE = { revalidateOnReconnect: true } as const;

export const swrConfig: SWRConfiguration & { provider: () => Cache } = {
  // A cache per user: data of one user is never shown to the next.
  provider: () => new QueryCache(),
  use: [cacheRetention],
  // SWR also keeps all data of this time in memory.
  dedupingInterval: 2_000,
  revalidateOnFocus: false,
  // When a socket reconnects, `realtime/follow-changes.ts` refetches what changed, chat queries, and failed ones.
  revalidateOnReconnect: false,
  keepPreviousData: true,
  // `refetch-stale.ts` repeats failed requests.
  shouldRetryOnError: false,
};
