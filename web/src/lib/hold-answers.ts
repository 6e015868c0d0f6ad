import { useEffect } from 'react';
import { type Middleware, unstable_serialize, useSWRConfig } from 'swr';
import { AnswerCache } from './answer-cache.ts';

/** Holds every answer in the cache while a component that reads it is mounted. */
export const holdAnswers: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const name = unstable_serialize(key);
  useEffect(() => {
    return name && cache instanceof AnswerCache ? cache.hold(name) : undefined;
  }, [cache, name]);
  return useNext(key, fetcher, config);
};
