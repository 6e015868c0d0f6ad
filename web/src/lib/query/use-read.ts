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
 * Reads an endpoint and keeps it fresh: `useRead<typeof listProjects>('GET /projects', { query: { limit: 6 } })`.
 * `null` instead of an input waits. What was loaded stays in sight while it is asked for again, and when asking fails; what was loaded of
 * something else while this is asked for.
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

/** What had come when it was drawn first, so that no skeleton stands before it; it is asked for all the same, and given as the answer. */
function usePreloaded<Answer>(key: string | null): { fallbackData?: Answer } {
  const [first] = useState(() => ({ key, body: key === null ? undefined : preloadedBody(key) }));
  return first.key === key && first.body !== undefined ? { fallbackData: first.body as Answer } : {};
}

/** The type of the answer is the contract's, which the service has parsed it by. */
function fetcher<Answer>(path: string): Promise<Answer> {
  return read(path) as Promise<Answer>;
}
