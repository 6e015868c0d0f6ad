import { unavailable } from '@atrium/service-kit/http/app-error';

/** Says whether anybody of some people was put into rooms or out of them between two moments on this pod. */
export type MembershipStamps = {
  of(userIds: readonly string[]): number;
  advance(userIds: readonly string[]): void;
  /**
   * Uses what was read of these people's memberships, unless it is old: whoever's rooms changed while it was read is read again, and
   * nobody else. `use` is given the people of whom it holds, and runs in the same turn as the check, so that no change comes between;
   * what it answers each time is answered. Rejects with `unavailable` where somebody's rooms changed `MOST_READS` times in a row: whoever
   * asked comes again later.
   */
  whenCurrent<T, R>(
    userIds: readonly string[],
    read: (userIds: string[]) => Promise<T>,
    use: (answer: T, userIds: string[]) => R,
  ): Promise<R[]>;
};

/** People share counters by the end of their ids: at worst something is read once more than it need be. */
const COUNTERS = 4_096;
/** In how many reads one after the other somebody's rooms may change; each takes a few milliseconds. */
export const MOST_READS = 50;

const TOO_BUSY = 'Memberships change faster than they can be read. Please try again in a moment.';

export function createMembershipStamps(): MembershipStamps {
  const counters = new Uint32Array(COUNTERS);
  const place = (userId: string) => Number.parseInt(userId.slice(-3), 16) % COUNTERS;
  const one = (userId: string) => counters[place(userId)] ?? 0;
  return {
    of: (userIds) => userIds.reduce((sum, userId) => sum + one(userId), 0),
    advance(userIds) {
      for (const userId of userIds) counters[place(userId)] = one(userId) + 1;
    },
    async whenCurrent<T, R>(
      userIds: readonly string[],
      read: (userIds: string[]) => Promise<T>,
      use: (answer: T, userIds: string[]) => R,
    ) {
      const used: R[] = [];
      let left = [...userIds];
      for (let reads = 0; left.length > 0; reads += 1) {
        if (reads === MOST_READS) throw unavailable(TOO_BUSY);
        const before = left.map(one);
        const answer = await read(left);
        const isCurrent = left.map((userId, index) => one(userId) === before[index]);
        const current = left.filter((_, index) => isCurrent[index]);
        left = left.filter((_, index) => !isCurrent[index]);
        if (current.length > 0) used.push(use(answer, current));
      }
      return used;
    },
  };
}
