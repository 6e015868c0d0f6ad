import { useEffect, useEffectEvent } from 'react';
import { type BareFetcher, type Middleware, unstable_serialize, useSWRConfig } from 'swr';
import { FRESH_MS, QueryCache } from './query-cache.ts';

/**
 * Holds every answer in the cache while a component that reads it is mounted, and asks for none that is fresh. SWR's own
 * `dedupingInterval` would do the latter, but keeps each answer of that time in memory.
 */
export const cacheRetention: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache, mutate } = useSWRConfig();
  const name = unstable_serialize(key);
  const queryCache = cache instanceof QueryCache ? cache : null;
  const isFresh = queryCache !== null && queryCache.dataAge(name) < FRESH_MS;
  // What changes between drawing and now was told when nobody held it, and has to be asked for all the same.
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

/** Every key of this app is a path. */
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
