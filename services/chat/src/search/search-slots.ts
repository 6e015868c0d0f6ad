import { AppError } from '@atrium/service-kit/errors/app-error';
import { createInFlightLimiter, createSemaphore } from '@atrium/service-kit/process/concurrency';

export type SearchSlots = {
  /** Throws `rate_limited` if the user has too many searches that run or wait. Rejects if `signal` aborts before a slot is free. */
  run<T>(search: () => Promise<T>, options: { userId: string; signal: AbortSignal }): Promise<T>;
};

/** A user who types has one or two at a time. */
export const MAX_SEARCHES_PER_USER = 3;

/** A search may read for seconds, so searches leave half of the connections to everything else. */
export function createSearchSlots(connectionCount: number): SearchSlots {
  const slots = createSemaphore(Math.floor(connectionCount / 2));
  const searches = createInFlightLimiter();
  return {
    async run(search, { userId, signal }) {
      if (!searches.acquire(userId, MAX_SEARCHES_PER_USER))
        throw new AppError('rate_limited', 'Too many of your searches are running. Please try again in a moment.', {
          retryAfterSeconds: 1,
        });
      try {
        return await slots.run(search, signal);
      } finally {
        searches.release(userId);
      }
    },
  };
}
