import type { CallOf, Endpoint, ResponseOf } from '@atrium/proto-events/endpoint';
import type { findFreeTimes, listBusyTimes } from '@atrium/proto-events/http/meetings/planning';
import type { listRooms } from '@atrium/proto-events/http/meetings/rooms';
import useSWR from 'swr';
import { type CallInput, call, type Route } from '#lib/api/api.ts';
import type { ApiError } from '#lib/api/api-error.ts';
import { useRead } from '#lib/query/use-read.ts';

/**
 * Sends the query as POST, because it is too long for a URL. The cache key starts with `/meetings`, so that a meeting
 * event triggers a refetch.
 */
function usePlanningQuery<E extends Endpoint & { method: 'POST' }>(route: Route<E>, body: CallOf<E>['body'] | null) {
  const key = body === null ? null : `${route.slice('POST '.length)}?${JSON.stringify(body)}`;
  return useSWR<ResponseOf<E>, ApiError>(key, () => call<E>(route, { body } as CallInput<E>), {
    keepPreviousData: false,
  });
}

export const useBusyTimes = (body: CallOf<typeof listBusyTimes>['body'] | null) =>
  usePlanningQuery<typeof listBusyTimes>('POST /meetings/busy', body);

export const useFreeTimes = (body: CallOf<typeof findFreeTimes>['body'] | null) =>
  usePlanningQuery<typeof findFreeTimes>('POST /meetings/free-times', body);

export function useRooms() {
  return useRead<typeof listRooms>('GET /meetings/rooms', { query: { limit: 100 } });
}
