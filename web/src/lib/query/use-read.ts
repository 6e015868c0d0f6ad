import type { Endpoint, ResponseOf } from '@atrium/proto-events/endpoint';
import { useState } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import { type CallInput, type Route, read } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';
import { preloadedBody } from '../api/preloaded-responses.ts';
import { DROP_PREVIOUS_ON_ERROR } from './drop-previous-on-error.ts';
import { keyOf } from './keys.ts';

type Get = Endpoint & { method: 'GET' };

/**
 * Reads an endpoint and keeps it up to date: `useRead<typeof listProjects>('GET /projects', { query: { limit: 6 } })`.
 * `null` as input requests nothing. Data stays visible during a refetch and when it fails; previous data is shown while
 * other input loads.
 */
export function useRead<E extends Get>(
  route: Route<E>,
  input: Pick<CallInput<E>, 'params' | 'query'> | null,
  options: SWRConfiguration = {},
): SWRResponse<ResponseOf<E>, ApiError> {
  const key = input === null ? null : keyOf<E>(route, input);
  const preloaded = usePreloaded<ResponseOf<E>>(key);
  return useSWR<ResponseOf<E>, ApiError>(key, fetcher<ResponseOf<E>>, {
    ...DROP_PREVIOUS_ON_ERROR,
    ...preloaded,
    ...options,
  });
}

/** A preloaded body for the first render, instead of a skeleton; the same response then answers the request. */
function usePreloaded<Data>(key: string | null): { fallbackData?: Data } {
  const [first] = useState(() => ({ key, body: key === null ? undefined : preloadedBody(key) }));
  return first.key === key && first.body !== undefined ? { fallbackData: first.body as Data } : {};
}

/** The service has validated the response against the contract. */
function fetcher<Data>(path: string): Promise<Data> {
  return read(path) as Promise<Data>;
}
