/** A time by the monotonic clock, and by the wall clock, which continues while a machine sleeps. */
export type ClockReading = { ticks: number; wall: number };

export const readClocks = (): ClockReading => ({ ticks: performance.now(), wall: Date.now() });

/**
 * Returns whether less than `ms` have passed by both clocks: the monotonic clock misses sleep, and the wall clock can
 * be set back.
 */
export const isWithin = (since: ClockReading | undefined, ms: number): boolean =>
  since !== undefined && performance.now() < since.ticks + ms && Date.now() < since.wall + ms;
