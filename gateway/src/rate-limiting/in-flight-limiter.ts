/** How many of something each key holds at a time. */
export type Shares = {
  /** Takes one; false when the key has all that it may. */
  take(key: string, most: number): boolean;
  give(key: string): void;
};

export function createInFlightLimiter(): Shares {
  const held = new Map<string, number>();
  return {
    take(key, most) {
      const count = held.get(key) ?? 0;
      if (count >= most) return false;
      held.set(key, count + 1);
      return true;
    },
    give(key) {
      const count = (held.get(key) ?? 0) - 1;
      if (count > 0) held.set(key, count);
      else held.delete(key);
    },
  };
}
