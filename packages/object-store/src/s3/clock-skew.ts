/**
 * The object store's clock, which judges when a signature was made: every answer of the store tells the time. A pod whose own clock is
 * ten minutes off would else give links that have run out, and take a store that refuses it for one that is away.
 */
export type ClockSkew = {
  now(): Date;
  /** Takes what an answer said (`Date`); answers whether it was news. */
  update(date: string | undefined): boolean;
};

/** What the way of an answer and the whole seconds of a header may account for. */
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
