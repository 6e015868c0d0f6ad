/** When something was, by the clock that nobody sets and by the one that goes on while a machine sleeps. */
export type ClockReading = { ticks: number; wall: number };

export const readClocks = (): ClockReading => ({ ticks: performance.now(), wall: Date.now() });

/** Whether less than `ms` have passed since, by both clocks: neither alone tells of a machine that slept and of a clock that was set back. */
export const isWithin = (since: ClockReading | undefined, ms: number): boolean =>
  since !== undefined && performance.now() < since.ticks + ms && Date.now() < since.wall + ms;
