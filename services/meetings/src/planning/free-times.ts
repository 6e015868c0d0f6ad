import { GRID_MINUTES } from '@atrium/proto-events/http/meetings/planning';
import type { DayHours, WorkingHours } from '@atrium/proto-events/preferences';
import { Temporal } from 'temporal-polyfill';

/** Every current time zone offset is a multiple of this, including Nepal and Lord Howe Island. */
const GRID_MS = GRID_MINUTES * 60_000;

const roundUpToGrid = (at: number) => Math.ceil(at / GRID_MS) * GRID_MS;

type Search = {
  /** Sorted and disjoint. */
  working: readonly Span[];
  busy: readonly Span[];
  from: number;
  durationMs: number;
  limit: number;
};

export function findFreeSpans({ working, busy, from, durationMs, limit }: Search): Span[] {
  const freeSpans: Span[] = [];
  let busyIndex = 0;
  for (const [opens, closes] of working) {
    let start = roundUpToGrid(Math.max(opens, from));
    while (start + durationMs <= closes && freeSpans.length < limit) {
      while ((busy[busyIndex]?.[1] ?? Number.POSITIVE_INFINITY) <= start) busyIndex += 1;
      const [begins, ends] = busy[busyIndex] ?? [Number.POSITIVE_INFINITY, 0];
      if (begins < start + durationMs) start = roundUpToGrid(ends);
      else {
        freeSpans.push([start, start + durationMs]);
        start = roundUpToGrid(start + durationMs);
      }
    }
  }
  return freeSpans;
}

/** Half-open interval in milliseconds of UNIX time. */
export type Span = readonly [start: number, end: number];

/** Returns sorted and disjoint spans. */
export function union(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else if (end > start) merged.push([start, end]);
  }
  return merged;
}

/** Both inputs must be sorted and disjoint. */
export function intersection(a: readonly Span[], b: readonly Span[]): Span[] {
  const shared: Span[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [[startA, endA], [startB, endB]] = [a[i], b[j]] as [Span, Span];
    const start = Math.max(startA, startB);
    const end = Math.min(endA, endB);
    if (start < end) shared.push([start, end]);
    if (endA < endB) i += 1;
    else j += 1;
  }
  return shared;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export type Worker = { timezone: string; workingHours: WorkingHours };

export function findWorkingSpans({ timezone, workingHours }: Worker, [from, to]: Span): Span[] {
  const hours = workingHours.map(toMinutes);
  return union(listOffsets(timezone, [from, to]).flatMap((offset) => listSpansAtOffset(hours, offset)));
}

/** Yields the working spans of the workers, once for those with the same zone and hours. */
export function* listWorkingSpans(workers: Iterable<Worker>, range: Span): Generator<Span[]> {
  const seenKeys = new Set<string>();
  for (const worker of workers) {
    const key = `${worker.timezone} ${JSON.stringify(worker.workingHours)}`;
    if (seenKeys.has(key)) continue;
    seenKeys.add(key);
    yield findWorkingSpans(worker, range);
  }
}

type Minutes = { start: number; end: number } | null;

function toMinutes(hours: DayHours | null): Minutes {
  return hours && { start: parseMinutes(hours.start), end: parseMinutes(hours.end) };
}

function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

type Offset = { from: number; to: number; offsetMs: number };

/** Computes with days of equal length: the offset is constant. January 1, 1970, was a Thursday. */
function listSpansAtOffset(hours: readonly Minutes[], { from, to, offsetMs }: Offset): Span[] {
  const spans: Span[] = [];
  const firstDay = Math.floor((from + offsetMs) / DAY_MS);
  const lastDay = Math.floor((to + offsetMs) / DAY_MS);
  for (let day = firstDay; day <= lastDay; day += 1) {
    const working = hours[(((day + 3) % 7) + 7) % 7];
    if (!working) continue;
    const midnight = day * DAY_MS - offsetMs;
    const start = Math.max(from, midnight + working.start * MINUTE_MS);
    const end = Math.min(to, midnight + working.end * MINUTE_MS);
    if (start < end) spans.push([start, end]);
  }
  return spans;
}

function listOffsets(timezone: string, [from, to]: Span): Offset[] {
  const offsets: Offset[] = [];
  for (
    let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
    at && at.epochMilliseconds < to;
    at = at.getTimeZoneTransition('next')
  ) {
    const previous = offsets.at(-1);
    if (previous) previous.to = at.epochMilliseconds;
    offsets.push({ from: at.epochMilliseconds, to, offsetMs: at.offsetNanoseconds / 1e6 });
  }
  return offsets;
}
