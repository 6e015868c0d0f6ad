/**
 * The object store's clock, which judges when a signature was made: every answer of the store tells the time. A pod whose own clock is
 * ten minutes off would else give links that have run out, and take a store that refuses it for one that is away.
 */
export type StoreClock = {
  now(): Date;
  /** Takes what an answer said (`Date`); answers whether it was news. */
  hear(date: string | undefined): boolean;
};

/** What the way of an answer and the whole seconds of a header may account for. */
const SLACK_MS = 5_000;

export function createStoreClock(): StoreClock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    hear(date) {
      const said = Date.parse(date ?? '');
      if (Number.isNaN(said) || Math.abs(said - Date.now() - aheadMs) < SLACK_MS) return false;
      aheadMs = said - Date.now();
      return true;
    },
  };
}
