const MOST = 1_000;

/**
 * Counts how often a process has tried an event. JetStream counts deliveries, over all pods, and so also those that are no attempts: an
 * older pod put the event back because it does not react to it (docs/decisions/0013), or a store was away.
 */
export function createAttempts() {
  const seen = new Map<number, { first: number; discounted: number }>();
  return {
    /** Which attempt the delivery is for this process, from 1; `delivery` is JetStream's count. */
    of(seq: number, delivery: number): number {
      const known = seen.get(seq) ?? { first: delivery, discounted: 0 };
      seen.set(seq, known);
      // What others handled at last is never told here, so the oldest goes when there are many.
      for (const oldest of seen.keys()) if (seen.size > MOST) seen.delete(oldest);
      return Math.max(1, delivery - known.first + 1 - known.discounted);
    },
    /** Notes that its last delivery was no attempt. */
    discount(seq: number): void {
      const known = seen.get(seq);
      if (known) known.discounted += 1;
    },
    forget: (seq: number): void => void seen.delete(seq),
  };
}
