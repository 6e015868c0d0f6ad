import type { Endpoint, ResponseOf } from '@atrium/proto-events/endpoint';
import { useState } from 'react';
import useSWR, {
  type Middleware,
  type SWRConfiguration,
  type SWRResponse,
  unstable_serialize,
  useSWRConfig,
} from 'swr';
import { type CallInput, type Route, read } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';
import { preloadedBody } from '../api/preloaded-responses.ts';
import { buildPath } from '../paths.ts';

/** Keys of plain reads are created here, so that `findResponse` can match paths. */
export function keyOf<E extends Endpoint & { method: 'GET' }>(
  route: Route<E>,
  input: Pick<CallInput<E>, 'params' | 'query'>,
): string {
  const path = route.slice('GET '.length);
  return buildPath(
    path,
    input.params as Record<string, string> | undefined,
    input.query as Record<string, unknown> | undefined,
  );
}

type Get = Endpoint & { method: 'GET' };

/**
 * Reads an endpoint and keeps it up to date: `useRead<typeof listProjects>('GET /projects', { query: { limit: 6 } })`.
 * `null` as input requests nothing. Data stays visible during a refetch and when it fails; previous data is shown while
 * other input loads.
 */
export function useRead<E extends Get>(
  route: Route<E>,
  input: Pick<CallInput<E>, 'params' | 'query'> | null,
  { fetcher = readPath<ResponseOf<E>>, ...options }: SWRConfiguration = {},
): SWRResponse<ResponseOf<E>, ApiError> {
  const key = input === null ? null : keyOf<E>(route, input);
  const preloaded = usePreloaded<ResponseOf<E>>(key);
  return useSWR<ResponseOf<E>, ApiError>(key, fetcher, {
    ...DROP_PREVIOUS_ON_ERROR,
    ...preloaded,
    ...options,
  });
}

/** Provides a preloaded body for the first render, instead of a skeleton. The request then takes the same response. */
function usePreloaded<Data>(key: string | null): { fallbackData?: Data } {
  const [initial] = useState(() => ({ key, body: key === null ? undefined : preloadedBody(key) }));
  return initial.key === key && initial.body !== undefined ? { fallbackData: initial.body as Data } : {};
}

function readPath<Data>(path: string): Promise<Data> {
  return read(path) as Promise<Data>;
}

/** Hides the previous data if a different search, filter, or page fails to load. */
const hidePreviousData: Middleware = (useNext) => (key, fetcher, config) => {
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

export const DROP_PREVIOUS_ON_ERROR: SWRConfiguration = { use: [hidePreviousData] };
