import { unavailable } from '@atrium/service-kit/errors/app-error';

type MembershipVersions = {
  of(userId: string): number;
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
  const indexOf = (userId: string) => Number.parseInt(userId.slice(-3), 16) % COUNTERS;
  const versionOf = (userId: string) => counters[indexOf(userId)] ?? 0;
  return {
    of: versionOf,
    advance(userIds) {
      for (const userId of userIds) counters[indexOf(userId)] = versionOf(userId) + 1;
    },
    async readCurrent<T, R>(
      userIds: readonly string[],
      read: (userIds: string[]) => Promise<T>,
      apply: (memberships: T, userIds: string[]) => R,
    ) {
      const results: R[] = [];
      let remaining = [...userIds];
      for (let reads = 0; remaining.length > 0; reads += 1) {
        if (reads === MAX_READ_ATTEMPTS) throw unavailable(TOO_BUSY);
        const before = remaining.map(versionOf);
        const memberships = await read(remaining);
        const isCurrent = remaining.map((userId, index) => versionOf(userId) === before[index]);
        const current = remaining.filter((_, index) => isCurrent[index]);
        remaining = remaining.filter((_, index) => !isCurrent[index]);
        if (current.length > 0) results.push(apply(memberships, current));
      }
      return results;
    },
  };
}
