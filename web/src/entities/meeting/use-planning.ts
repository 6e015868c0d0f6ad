import type { CallOf, Endpoint, ResponseOf } from '@atrium/proto-events/endpoint';
import type { findFreeTimes, listBusyTimes } from '@atrium/proto-events/http/meeting-planning';
import useSWR from 'swr';
import { type CallInput, call, type Route } from '../../lib/api/api.ts';
import type { ApiError } from '../../lib/api/api-error.ts';

/**
 * A question that is too long for an address, kept and asked again like any read: below `/meetings`, so that a meeting that changes makes
 * it ask anew. What was answered to another question is never shown for this one. `null` waits.
 */
function useQuestion<E extends Endpoint & { method: 'POST' }>(route: Route<E>, body: CallOf<E>['body'] | null) {
  const key = body === null ? null : `${route.slice('POST '.length)}?${JSON.stringify(body)}`;
  return useSWR<ResponseOf<E>, ApiError>(key, () => call<E>(route, { body } as CallInput<E>), {
    keepPreviousData: false,
  });
}

export const useBusyTimes = (body: CallOf<typeof listBusyTimes>['body'] | null) =>
  useQuestion<typeof listBusyTimes>('POST /meetings/busy', body);

export const useFreeTimes = (body: CallOf<typeof findFreeTimes>['body'] | null) =>
  useQuestion<typeof findFreeTimes>('POST /meetings/free-times', body);
