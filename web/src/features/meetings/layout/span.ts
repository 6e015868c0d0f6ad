/** A half-open time range [start, end) in milliseconds since 1970. */
export type Span = { start: number; end: number };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

export const toTimes = ({ start, end }: Span) => ({
  startTime: new Date(start).toISOString(),
  endTime: new Date(end).toISOString(),
});

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** Moves snap to 15 minutes; all current zones are offset from UTC by multiples of that. */
const SNAP_MS = 15 * MINUTE_MS;

export const snapped = (at: number): number => Math.round(at / SNAP_MS) * SNAP_MS;

/** Returns the same local time `days` later, with the same duration. */
export function daysLater({ start, end }: Span, days: number): Span {
  const date = new Date(start);
  date.setDate(date.getDate() + days);
  return { start: date.getTime(), end: date.getTime() + end - start };
}

export function movedInHours(span: Span, arrow: Arrow, isResizing: boolean): Span {
  if (arrow === 'ArrowLeft' || arrow === 'ArrowRight')
    return isResizing ? span : daysLater(span, arrow === 'ArrowRight' ? 1 : -1);
  const by = arrow === 'ArrowDown' ? SNAP_MS : -SNAP_MS;
  if (!isResizing) return { start: span.start + by, end: span.end + by };
  return resizedTo(span, span.end + by);
}

export const movedInMonth = (span: Span, arrow: Arrow): Span =>
  daysLater(span, { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[arrow]);

export const resizedTo = ({ start }: Span, end: number): Span => ({ start, end: Math.max(start + SNAP_MS, end) });
