import { type Middleware, type SWRConfiguration, unstable_serialize, useSWRConfig } from 'swr';

/**
 * Previous data is shown while another search, filter, or page loads (`keepPreviousData`). When that fails, only the
 * error remains.
 */
const withoutPrevious: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const response = useNext(key, fetcher, config);
  const name = unstable_serialize(key);
  // Getters, because SWR re-renders by the properties that are read.
  return {
    mutate: response.mutate,
    get data() {
      const { data, error } = response;
      if (error === undefined || cache.get(name)?.data !== undefined) return data;
      const { fallbackData } = config;
      return fallbackData instanceof Promise ? undefined : fallbackData;
    },
    get error() {
      return response.error;
    },
    get isValidating() {
      return response.isValidating;
    },
    get isLoading() {
      return response.isLoading;
    },
  };
};

export const DROP_PREVIOUS_ON_ERROR: SWRConfiguration = { use: [withoutPrevious] };
