import { MINUTE_MS, type Span } from './span.ts';
import type { Arrow } from './stops.ts';

/** What is moved stands on quarters of an hour, which every zone of today is off UTC by whole numbers of. */
const SNAP_MS = 15 * MINUTE_MS;

export const snapped = (at: number): number => Math.round(at / SNAP_MS) * SNAP_MS;

/** The same time of the clock so many days later, as long as before. */
export function daysLater({ start, end }: Span, days: number): Span {
  const date = new Date(start);
  date.setDate(date.getDate() + days);
  return { start: date.getTime(), end: date.getTime() + end - start };
}

/** What an arrow makes of it among hours: with Shift its end moves alone, and never before its beginning. */
export function movedInHours(span: Span, arrow: Arrow, isResizing: boolean): Span {
  if (arrow === 'ArrowLeft' || arrow === 'ArrowRight')
    return isResizing ? span : daysLater(span, arrow === 'ArrowRight' ? 1 : -1);
  const by = arrow === 'ArrowDown' ? SNAP_MS : -SNAP_MS;
  if (!isResizing) return { start: span.start + by, end: span.end + by };
  return resizedTo(span, span.end + by);
}

/** In a month: from day to day and from week to week. */
export const movedInMonth = (span: Span, arrow: Arrow): Span =>
  daysLater(span, { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[arrow]);

export const resizedTo = ({ start }: Span, end: number): Span => ({ start, end: Math.max(start + SNAP_MS, end) });
