/** Limits concurrent operations per key. */
export type InFlightLimiter = {
  /** Returns false if the key has reached its limit. */
  acquire(key: string, maxCount: number): boolean;
  release(key: string): void;
};

export function createInFlightLimiter(): InFlightLimiter {
  const counts = new Map<string, number>();
  return {
    acquire(key, maxCount) {
      const count = counts.get(key) ?? 0;
      if (count >= maxCount) return false;
      counts.set(key, count + 1);
      return true;
    },
    release(key) {
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
