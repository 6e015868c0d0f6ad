import type { Change } from '@atrium/proto-events/realtime';
import { jitter } from '../lib/jitter.ts';
import type { RefetchPredicate } from './refetch.ts';
import { isFromOtherService } from './stale-queries.ts';

/** By then every service has heard what another has told. */
const HEARD_MS = 10_000;

/**
 * A service hears by its own way of what another keeps, a name or who is in a project, and may have answered before. What was asked for
 * again because of such a change is asked for once more; another change meanwhile, or a question, takes its place.
 */
export function createDelayedRefetch(refresh: (isMeant: RefetchPredicate) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const look = (key: string) => {
    timers.delete(key);
    refresh((other, age) => other === key && age >= HEARD_MS / 2);
  };
  const note = (key: string) => {
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(look, jitter(HEARD_MS), key));
  };
  return {
    /** The same, which also notes what has to be asked for once more after these changes. */
    after:
      (changes: readonly Change[], isMeant: RefetchPredicate): RefetchPredicate =>
      (key, age, held) => {
        const meant = isMeant(key, age, held);
        const isKnown = meant !== false && held !== undefined;
        if (isKnown && changes.some((change) => isFromOtherService(key, change, held))) note(key);
        return meant;
      },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
