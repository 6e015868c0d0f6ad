import { type Day, dateOfDay } from '../../../lib/day.ts';
import { HOUR_MS, type Span } from '../layout/span.ts';

/** The hours of a day that are shown unless something lies beyond. */
const FIRST_HOUR = 7;
const LAST_HOUR = 20;

/** From midnight to midnight by the clock here; undefined where that is no day. */
export function boundsOf(day: Day): Span | undefined {
  const [midnight, next] = [dateOfDay(day), dateOfDay(day)];
  if (!midnight || !next) return undefined;
  next.setDate(next.getDate() + 1);
  return { start: midnight.getTime(), end: next.getTime() };
}

/** The part of a day that a grid shows: from a full hour to another, with all of what was chosen in it. */
export function shownPart(day: Day, chosen: Span | undefined): Span | undefined {
  const bounds = boundsOf(day);
  if (!bounds) return undefined;
  const at = (hour: number) => new Date(bounds.start).setHours(hour);
  const start = Math.min(at(FIRST_HOUR), chosen ? floorHour(chosen.start) : Number.POSITIVE_INFINITY);
  const end = Math.max(at(LAST_HOUR), chosen ? ceilHour(chosen.end) : 0);
  return { start: Math.max(start, bounds.start), end: Math.min(end, bounds.end) };
}

/** By the clock here, which may be half an hour or a quarter off that of UTC. */
function floorHour(at: number): number {
  return new Date(at).setMinutes(0, 0, 0);
}

const ceilHour = (at: number) => (floorHour(at) === at ? at : floorHour(at) + HOUR_MS);

/** Where a stretch stands in the part, in hundredths of it; undefined where nothing of it does. */
export function placeIn(part: Span, { start, end }: Span): { left: number; width: number } | undefined {
  const [from, to] = [Math.max(part.start, start), Math.min(part.end, end)];
  if (from >= to) return undefined;
  const share = (ms: number) => (ms / (part.end - part.start)) * 100;
  return { left: share(from - part.start), width: share(to - from) };
}

/** The full hours of the part, at most about seven of them. */
export function marksOf({ start, end }: Span): number[] {
  const hours = Math.round((end - start) / HOUR_MS);
  const step = Math.ceil(hours / 7);
  return Array.from({ length: Math.floor((hours - 1) / step) + 1 }, (_, index) => start + index * step * HOUR_MS);
}
