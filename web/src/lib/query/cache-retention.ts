import { useEffect, useEffectEvent } from 'react';
import { type BareFetcher, type Middleware, unstable_serialize, useSWRConfig } from 'swr';
import { FRESH_MS, QueryCache } from './query-cache.ts';

/**
 * Holds every answer in the cache while a component that reads it is mounted, and asks for none that is fresh. SWR's own
 * `dedupingInterval` would do the latter, but keeps each answer of that time in memory.
 */
export const retainAnswers: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache, mutate } = useSWRConfig();
  const name = unstable_serialize(key);
  const answers = cache instanceof QueryCache ? cache : null;
  const isFresh = answers !== null && answers.ageOf(name) < FRESH_MS;
  // What changes between drawing and now was told when nobody held it, and has to be asked for all the same.
  const askIfAged = useEffectEvent((held: QueryCache) => {
    if (isFresh && held.ageOf(name) >= FRESH_MS && !held.isUnderWay(name)) void mutate(name);
  });
  useEffect(() => {
    if (!name || !answers) return undefined;
    const release = answers.hold(name);
    askIfAged(answers);
    return release;
  }, [answers, name]);
  const noted = answers && fetcher ? noting(answers, fetcher) : fetcher;
  return useNext(key, noted, isFresh ? { ...config, revalidateIfStale: false } : config);
};

/** Every key of this app is a path. */
function noting<Data>(answers: QueryCache, fetcher: BareFetcher<Data>): BareFetcher<Data> {
  return async (path: string) => {
    const { edited, end } = answers.ask(path);
    try {
      const answer = edited(await fetcher(path));
      end(true);
      return answer;
    } catch (error) {
      end(false);
      answers.fail(path, error);
      throw error;
    }
  };
}
