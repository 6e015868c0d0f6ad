import { type Middleware, type SWRConfiguration, unstable_serialize, useSWRConfig } from 'swr';

/**
 * The answer before stands until there is another (`keepPreviousData`). Where that could not be had, as of other words, another filter or
 * page, it is no answer to what is asked: then there is the error alone.
 */
const withoutPrevious: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const answer = useNext(key, fetcher, config);
  const name = unstable_serialize(key);
  // SWR draws anew by what is read of its answer.
  return {
    mutate: answer.mutate,
    get data() {
      const { data, error } = answer;
      if (error === undefined || cache.get(name)?.data !== undefined) return data;
      const { fallbackData } = config;
      return fallbackData instanceof Promise ? undefined : fallbackData;
    },
    get error() {
      return answer.error;
    },
    get isValidating() {
      return answer.isValidating;
    },
    get isLoading() {
      return answer.isLoading;
    },
  };
};

export const DROP_PREVIOUS_ON_ERROR: SWRConfiguration = { use: [withoutPrevious] };
