import { unavailable } from '@atrium/service-kit/errors/app-error';

/** Counters of users, shared by some, that advance whenever a user joins or leaves a conversation. */
type ParticipationVersions = {
  get(userId: string): number;
  advance(userIds: readonly string[]): void;
  /**
   * Applies what was read for users whose version did not change during the read, and reads again for the others.
   * Throws `unavailable` after `MAX_READ_ATTEMPTS`. `apply` must be synchronous.
   */
  readCurrent<T, R>(
    userIds: readonly string[],
    read: (userIds: string[]) => Promise<T>,
    apply: (result: T, userIds: string[]) => R,
  ): Promise<R[]>;
};

/** Users share counters by the end of their ids; a collision costs an unnecessary read. */
const COUNTERS = 4_096;
export const MAX_READ_ATTEMPTS = 50;

const TOO_BUSY = 'Conversations change faster than they can be read. Please try again in a moment.';

export function createParticipationVersions(): ParticipationVersions {
  const counters = new Uint32Array(COUNTERS);
  const toIndex = (userId: string) => Number.parseInt(userId.slice(-3), 16) % COUNTERS;
  const getVersion = (userId: string) => counters[toIndex(userId)] ?? 0;
  return {
    get: getVersion,
    advance(userIds) {
      for (const userId of userIds) counters[toIndex(userId)] = getVersion(userId) + 1;
    },
    async readCurrent<T, R>(
      userIds: readonly string[],
      read: (userIds: string[]) => Promise<T>,
      apply: (result: T, userIds: string[]) => R,
    ) {
      const results: R[] = [];
      let remainingIds = [...userIds];
      for (let reads = 0; remainingIds.length > 0; reads += 1) {
        if (reads === MAX_READ_ATTEMPTS) throw unavailable(TOO_BUSY);
        const versionsBefore = remainingIds.map(getVersion);
        const result = await read(remainingIds);
        const currentFlags = remainingIds.map((userId, index) => getVersion(userId) === versionsBefore[index]);
        const currentIds = remainingIds.filter((_, index) => currentFlags[index]);
        remainingIds = remainingIds.filter((_, index) => !currentFlags[index]);
        if (currentIds.length > 0) results.push(apply(result, currentIds));
      }
      return results;
    },
  };
}
