/** Spreads requests of browsers that received the same event or failed together: at most half as long again. */
export const SPREAD = 0.5;

/** A time in milliseconds, up to `share` longer at random. */
export const jitter = (ms: number, share = SPREAD): number => ms * (1 + Math.random() * share);
