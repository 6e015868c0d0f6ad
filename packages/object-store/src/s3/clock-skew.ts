/**
 * The object store's clock, which determines whether a signature is valid: every response contains its time.
 * Otherwise, a pod whose clock is ten minutes off would issue expired links and consider the store unavailable.
 */
export type ClockSkew = {
  now(): Date;
  /** Processes the `Date` of a response; returns whether the skew changed. */
  update(date: string | undefined): boolean;
};

/** Tolerates latency and the whole seconds of the header. */
const SLACK_MS = 5_000;

export function createClockSkew(): ClockSkew {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    update(date) {
      const storeTime = Date.parse(date ?? '');
      if (Number.isNaN(storeTime) || Math.abs(storeTime - Date.now() - aheadMs) < SLACK_MS) return false;
      aheadMs = storeTime - Date.now();
      return true;
    },
  };
}
