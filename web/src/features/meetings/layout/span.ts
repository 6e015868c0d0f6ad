/** A half-open time range [start, end) in milliseconds since 1970. */
export type Span = { start: number; end: number };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const overlaps = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;
