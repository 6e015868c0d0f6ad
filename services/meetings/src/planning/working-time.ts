import type { DayHours, WorkingHours } from '@atrium/proto-events/preferences';
import { Temporal } from 'temporal-polyfill';
import { type Span, union } from './spans.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export type Worker = { timezone: string; workingHours: WorkingHours };

/** The spans in the range during which the local time is within the working hours. */
export function workingTime({ timezone, workingHours }: Worker, [from, to]: Span): Span[] {
  const hours = workingHours.map(toMinutes);
  return union(offsetsOf(timezone, [from, to]).flatMap((part) => withinOffset(hours, part)));
}

/** Computed once per combination of zone and hours. */
export function* workingTimes(workers: Iterable<Worker>, range: Span): Generator<Span[]> {
  const seen = new Set<string>();
  for (const worker of workers) {
    const key = `${worker.timezone} ${JSON.stringify(worker.workingHours)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    yield workingTime(worker, range);
  }
}

type Minutes = { start: number; end: number } | null;

function toMinutes(hours: DayHours | null): Minutes {
  return hours && { start: minutesOf(hours.start), end: minutesOf(hours.end) };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

type Offset = { from: number; to: number; offsetMs: number };

/** Local time is linear while the offset is constant. 1 January 1970 was a Thursday. */
function withinOffset(hours: readonly Minutes[], { from, to, offsetMs }: Offset): Span[] {
  const spans: Span[] = [];
  const firstDay = Math.floor((from + offsetMs) / DAY_MS);
  const lastDay = Math.floor((to + offsetMs) / DAY_MS);
  for (let day = firstDay; day <= lastDay; day += 1) {
    const of = hours[(((day + 3) % 7) + 7) % 7];
    if (!of) continue;
    const midnight = day * DAY_MS - offsetMs;
    const start = Math.max(from, midnight + of.start * MINUTE_MS);
    const end = Math.min(to, midnight + of.end * MINUTE_MS);
    if (start < end) spans.push([start, end]);
  }
  return spans;
}

function offsetsOf(timezone: string, [from, to]: Span): Offset[] {
  const parts: Offset[] = [];
  for (
    let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
    at && at.epochMilliseconds < to;
    at = at.getTimeZoneTransition('next')
  ) {
    const last = parts.at(-1);
    if (last) last.to = at.epochMilliseconds;
    parts.push({ from: at.epochMilliseconds, to, offsetMs: at.offsetNanoseconds / 1e6 });
  }
  return parts;
}
