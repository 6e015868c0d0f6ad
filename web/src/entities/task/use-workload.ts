import type { getWorkload } from '@atrium/proto-events/http/workload';
import type { CallInput } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { weekStart } from '#lib/time/date-preferences.ts';

type Query = NonNullable<CallInput<typeof getWorkload>['query']>;

/** `today` is the day in the time zone of the browser. */
export function useWorkload(query: Pick<Query, 'projectId' | 'users' | 'today'>) {
  return useRead<typeof getWorkload>('GET /tasks/workload', { query: { ...query, weekStart: weekStart() } });
}
