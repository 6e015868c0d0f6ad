import { AppError } from '@atrium/service-kit/errors/app-error';
import { createInFlightLimiter } from '@atrium/service-kit/process/concurrency';

export type SearchSlots = {
  /** Throws `rate_limited` if the user has too many searches that run or wait. */
  run<T>(userId: string, search: () => Promise<T>): Promise<T>;
};

/** A user who types has one or two at a time. */
export const MAX_SEARCHES_PER_USER = 3;

export function createSearchSlots(): SearchSlots {
  const searches = createInFlightLimiter();
  return {
    async run(userId, search) {
      if (!searches.acquire(userId, MAX_SEARCHES_PER_USER))
        throw new AppError('rate_limited', 'Too many of your searches are running. Please try again in a moment.', {
          retryAfterSeconds: 1,
        });
      try {
        return await search();
      } finally {
        searches.release(userId);
      }
    },
  };
}
