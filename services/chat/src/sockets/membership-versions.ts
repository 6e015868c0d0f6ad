import { unavailable } from '@atrium/service-kit/errors/app-error';

type MembershipVersions = {
  get(userId: string): number;
  advance(userIds: readonly string[]): void;
  /** Reads again if rooms changed during the read; `unavailable` after `MAX_READ_ATTEMPTS`. `apply` is synchronous. */
  readCurrent<T, R>(
    userIds: readonly string[],
    read: (userIds: string[]) => Promise<T>,
    apply: (memberships: T, userIds: string[]) => R,
  ): Promise<R[]>;
};

/** Users share counters by the end of their ids; a collision costs an unnecessary read. */
const COUNTERS = 4_096;
export const MAX_READ_ATTEMPTS = 50;

const TOO_BUSY = 'Memberships change faster than they can be read. Please try again in a moment.';

export function createMembershipVersions(): MembershipVersions {
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
      apply: (memberships: T, userIds: string[]) => R,
    ) {
      const results: R[] = [];
      let remainingIds = [...userIds];
      for (let reads = 0; remainingIds.length > 0; reads += 1) {
        if (reads === MAX_READ_ATTEMPTS) throw unavailable(TOO_BUSY);
        const versionsBefore = remainingIds.map(getVersion);
        const memberships = await read(remainingIds);
        const currentFlags = remainingIds.map((userId, index) => getVersion(userId) === versionsBefore[index]);
        const currentIds = remainingIds.filter((_, index) => currentFlags[index]);
        remainingIds = remainingIds.filter((_, index) => !currentFlags[index]);
        if (currentIds.length > 0) results.push(apply(memberships, currentIds));
      }
      return results;
    },
  };
}
