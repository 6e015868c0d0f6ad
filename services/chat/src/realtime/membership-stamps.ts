/** Says whether anybody of some people was put into rooms or out of them between two moments on this pod. */
export type MembershipStamps = {
  of(userIds: readonly string[]): number;
  advance(userIds: readonly string[]): void;
  /**
   * Uses what was read of these people's memberships, unless it is old: whoever's rooms changed while it was read is read again. `use` runs
   * in the same turn as the check, so that no change comes between.
   */
  whenCurrent<T, R>(userIds: readonly string[], read: () => Promise<T>, use: (answer: T) => R): Promise<R>;
};

/** People share counters by the end of their ids: at worst something is read once more than it need be. */
const COUNTERS = 4_096;

export function createMembershipStamps(): MembershipStamps {
  const counters = new Uint32Array(COUNTERS);
  const place = (userId: string) => Number.parseInt(userId.slice(-3), 16) % COUNTERS;
  const of = (userIds: readonly string[]) => userIds.reduce((sum, userId) => sum + (counters[place(userId)] ?? 0), 0);
  return {
    of,
    advance(userIds) {
      for (const userId of userIds) counters[place(userId)] = (counters[place(userId)] ?? 0) + 1;
    },
    async whenCurrent(userIds, read, use) {
      for (;;) {
        const before = of(userIds);
        const answer = await read();
        if (before === of(userIds)) return use(answer);
      }
    },
  };
}
