import { type Day, dateOfDay } from '#lib/time/day.ts';
import { HOUR_MS, type Span } from '../layout/span.ts';

const FIRST_HOUR = 7;
const LAST_HOUR = 20;

function getDayBounds(day: Day): Span | undefined {
  const midnight = dateOfDay(day);
  const next = dateOfDay(day);
  if (!midnight || !next) return undefined;
  next.setDate(next.getDate() + 1);
  return { start: midnight.getTime(), end: next.getTime() };
}

/** Returns the part of a day to show: whole hours that include the selected time. */
export function shownPart(day: Day, chosen: Span | undefined): Span | undefined {
  const bounds = getDayBounds(day);
  if (!bounds) return undefined;
  const at = (hour: number) => new Date(bounds.start).setHours(hour);
  const start = Math.min(at(FIRST_HOUR), chosen ? floorHour(chosen.start) : Number.POSITIVE_INFINITY);
  const end = Math.max(at(LAST_HOUR), chosen ? ceilHour(chosen.end) : 0);
  return { start: Math.max(start, bounds.start), end: Math.min(end, bounds.end) };
}

/** Rounds down to a full hour of local time, which may be offset from UTC by half or quarter hours. */
function floorHour(at: number): number {
  return new Date(at).setMinutes(0, 0, 0);
}

const ceilHour = (at: number) => (floorHour(at) === at ? at : floorHour(at) + HOUR_MS);

/** Returns the position of a span in percent of the part; undefined if the span is outside. */
export function positionIn(part: Span, { start, end }: Span): { left: number; width: number } | undefined {
  const from = Math.max(part.start, start);
  const to = Math.min(part.end, end);
  if (from >= to) return undefined;
  const share = (ms: number) => (ms / (part.end - part.start)) * 100;
  return { left: share(from - part.start), width: share(to - from) };
}

/** Returns the full hours to label, at most about seven. */
export function listHourMarks({ start, end }: Span): number[] {
  const hours = Math.round((end - start) / HOUR_MS);
  const step = Math.ceil(hours / 7);
  return Array.from({ length: Math.floor((hours - 1) / step) + 1 }, (_, index) => start + index * step * HOUR_MS);
}
