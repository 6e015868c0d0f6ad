import type { Arrow } from './stops.ts';

/** A half-open time range [start, end) in milliseconds since 1970. */
export type Span = { start: number; end: number };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const overlaps = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;

/** Moves snap to 15 minutes; all current zones are offset from UTC by multiples of that. */
const SNAP_MS = 15 * MINUTE_MS;

export const snapped = (at: number): number => Math.round(at / SNAP_MS) * SNAP_MS;

/** The same local time `days` later, with the same duration. */
export function daysLater({ start, end }: Span, days: number): Span {
  const date = new Date(start);
  date.setDate(date.getDate() + days);
  return { start: date.getTime(), end: date.getTime() + end - start };
}

/** Applies an arrow key in the time grid; with Shift, it moves only the end, never before the start. */
export function movedInHours(span: Span, arrow: Arrow, isResizing: boolean): Span {
  if (arrow === 'ArrowLeft' || arrow === 'ArrowRight')
    return isResizing ? span : daysLater(span, arrow === 'ArrowRight' ? 1 : -1);
  const by = arrow === 'ArrowDown' ? SNAP_MS : -SNAP_MS;
  if (!isResizing) return { start: span.start + by, end: span.end + by };
  return resizedTo(span, span.end + by);
}

/** In the month grid, arrows move by days and weeks. */
export const movedInMonth = (span: Span, arrow: Arrow): Span =>
  daysLater(span, { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[arrow]);

export const resizedTo = ({ start }: Span, end: number): Span => ({ start, end: Math.max(start + SNAP_MS, end) });
