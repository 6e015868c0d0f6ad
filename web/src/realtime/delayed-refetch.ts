import type { Change } from '@atrium/proto-events/realtime';
import { jitter } from '#lib/delays.ts';
import type { GetRefetchTarget } from './refetch.ts';
import { isFromOtherService } from './stale-queries.ts';

/** Within this time, every service has processed the events of the other services. */
const PROPAGATION_MS = 10_000;

/**
 * Services keep copies of other services' data, such as names and project members, and may respond before a copy is
 * updated. Responses that were refetched because of such a change are therefore refetched once more, unless a later
 * change or request supersedes that.
 */
export function createDelayedRefetch(refetch: (getTarget: GetRefetchTarget) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const refetchKey = (key: string) => {
    timers.delete(key);
    refetch((candidate, age) => candidate === key && age >= PROPAGATION_MS / 2);
  };
  const schedule = (key: string) => {
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(refetchKey, jitter(PROPAGATION_MS), key));
  };
  return {
    /** When the predicate selects a response of another service, it also schedules the second refetch. */
    withSecondRefetch:
      (getTarget: GetRefetchTarget, changes: readonly Change[]): GetRefetchTarget =>
      (key, age, data) => {
        const target = getTarget(key, age, data);
        const isKnown = target !== false && data !== undefined;
        if (isKnown && changes.some((change) => isFromOtherService(key, change, data))) schedule(key);
        return target;
      },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
