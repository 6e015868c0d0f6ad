// Browsers import this module with the first screen, so it contains nothing else.

/** A focused window that is in use shows its user their notifications at least this often. */
export const PRESENCE_INTERVAL_MS = 2 * 60_000;
