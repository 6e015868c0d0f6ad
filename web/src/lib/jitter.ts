/** Browsers that were told of something, or failed, together do not ask together: half as long again at most. */
export const SPREAD = 0.5;

/** A time in milliseconds, or by chance up to `share` of it longer. */
export const jitter = (ms: number, share = SPREAD): number => ms * (1 + Math.random() * share);
