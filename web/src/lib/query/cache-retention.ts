import { useEffect, useEffectEvent } from 'react';
import { type BareFetcher, type Middleware, unstable_serialize, useSWRConfig } from 'swr';
import { FRESH_MS, QueryCache } from './query-cache.ts';

/**
 * Keeps data in the cache while a mounted component reads it, and skips requests for fresh data. SWR's
 * `dedupingInterval` would skip them too, but keeps all data of that time in memory.
 */
export const cacheRetention: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache, mutate } = useSWRConfig();
  const name = unstable_serialize(key);
  const queryCache = cache instanceof QueryCache ? cache : null;
  const isFresh = queryCache !== null && queryCache.dataAge(name) < FRESH_MS;
  // An invalidation between render and mount found no observer, so it is caught up here.
  const refetchIfStale = useEffectEvent((held: QueryCache) => {
    if (isFresh && held.dataAge(name) >= FRESH_MS && !held.isInFlight(name)) void mutate(name);
  });
  useEffect(() => {
    if (!name || !queryCache) return undefined;
    const release = queryCache.observe(name);
    refetchIfStale(queryCache);
    return release;
  }, [queryCache, name]);
  const trackedFetcher = queryCache && fetcher ? trackRequests(queryCache, fetcher) : fetcher;
  return useNext(key, trackedFetcher, isFresh ? { ...config, revalidateIfStale: false } : config);
};

function trackRequests<Data>(queryCache: QueryCache, fetcher: BareFetcher<Data>): BareFetcher<Data> {
  return async (path: string) => {
    const { applyEdits, finish } = queryCache.startRequest(path);
    try {
      const answer = applyEdits(await fetcher(path));
      finish(true);
      return answer;
    } catch (error) {
      finish(false);
      queryCache.reportFailure(path, error);
      throw error;
    }
  };
}
