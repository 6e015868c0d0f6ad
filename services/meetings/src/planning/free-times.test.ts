import { DEFAULT_PREFERENCES, type WorkingHours } from '@atrium/proto-events/preferences';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  findFreeSpans,
  findWorkingSpans,
  intersection,
  listWorkingSpans,
  type Span,
  union,
  type Worker,
} from './free-times.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Offsets of quarter and half hours, clock changes of an hour and half an hour, and both sides of the date line. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Africa/Casablanca',
];

/** Dates around which the clocks change in some of the zones. */
const DATES_NEAR_CLOCK_CHANGES = [
  '2026-03-06',
  '2026-03-27',
  '2026-04-03',
  '2026-09-24',
  '2026-10-02',
  '2026-10-23',
  '2026-10-30',
];

const formatTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const anyHours = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 96 }))
  .map(([a, b]) => ({ start: formatTime(Math.min(a, b - 1) * 15), end: formatTime(Math.max(b, a + 1) * 15) }));
const anyWorker: fc.Arbitrary<Worker> = fc.record({
  timezone: fc.constantFrom(...ZONES),
  workingHours: fc.array(fc.option(anyHours, { freq: 4 }), { minLength: 7, maxLength: 7 }),
});
const anyStart = fc
  .tuple(fc.constantFrom(...DATES_NEAR_CLOCK_CHANGES), fc.integer({ min: 0, max: 1_439 }))
  .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS);

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Computes the local day and time with Intl instead of Temporal, which the code under test uses. */
function toWallClock(at: number, timeZone: string): { day: number; time: string } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: WEEKDAYS.indexOf(parts.weekday ?? ''), time: `${parts.hour}:${parts.minute}` };
}

function worksAt({ timezone, workingHours }: Worker, at: number): boolean {
  const { day, time } = toWallClock(at, timezone);
  const hours = workingHours[day];
  return Boolean(hours && time >= hours.start && time < hours.end);
}

const isIn = (spans: readonly Span[], at: number) => spans.some(([start, end]) => start <= at && at < end);

describe('findWorkingSpans', () => {
  it('returns the local working hours across clock changes', () => {
    fc.assert(
      fc.property(anyWorker, anyStart, (worker, from) => {
        const range: Span = [from, from + 4 * DAY_MS];
        const spans = findWorkingSpans(worker, range);
        for (let at = from; at < range[1]; at += 5 * MINUTE_MS) expect(isIn(spans, at)).toBe(worksAt(worker, at));
        expect(spans).toEqual(union(spans));
        for (const [start, end] of spans) expect(start >= from && end <= range[1]).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('runs only once in listWorkingSpans for workers with the same zone and hours', () => {
    const crowd = Array.from({ length: 500 }, (): Worker => ({ timezone: 'Europe/Berlin', ...DEFAULT_PREFERENCES }));
    expect([...listWorkingSpans(crowd, [0, DAY_MS])]).toHaveLength(1);
  });

  it('merges spans across midnight if one day ends and the next starts there', () => {
    const aroundTheClock: WorkingHours = Array.from({ length: 7 }, () => ({ start: '00:00', end: '24:00' }));
    const range: Span = [0, 14 * DAY_MS];
    expect(findWorkingSpans({ timezone: 'Asia/Kathmandu', workingHours: aroundTheClock }, range)).toEqual([range]);
  });
});

it('the UTC grid falls on quarter hours in every time zone', () => {
  const isOffGrid = (timeZone: string) =>
    [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)].some(
      (at) => Number(toWallClock(at, timeZone).time.slice(3)) % 15 !== 0,
    );
  expect(Intl.supportedValuesOf('timeZone').filter(isOffGrid)).toEqual([]);
});

function bruteForce({ workers, busy, from, to, durationMs, limit }: Problem): Span[] {
  const freeSpans: Span[] = [];
  const quarter = 15 * MINUTE_MS;
  for (let start = from; start + durationMs <= to && freeSpans.length < limit; start += MINUTE_MS) {
    if (start % quarter !== 0 || start < (freeSpans.at(-1)?.[1] ?? 0)) continue;
    let isFree = busy.every(([begins, ends]) => ends <= start || begins >= start + durationMs);
    for (let at = start; isFree && at < start + durationMs; at += 5 * MINUTE_MS)
      isFree = workers.every((worker) => worksAt(worker, at));
    if (isFree) freeSpans.push([start, start + durationMs]);
  }
  return freeSpans;
}

type Problem = { workers: Worker[]; busy: Span[]; from: number; to: number; durationMs: number; limit: number };

describe('findFreeSpans', () => {
  it('matches a brute-force search over all quarter hours for random users and meetings', () => {
    const officeWorker = fc.record({
      timezone: fc.constantFrom(...ZONES),
      workingHours: fc.constantFrom(
        DEFAULT_PREFERENCES.workingHours,
        Array.from({ length: 7 }, () => ({ start: '06:00', end: '22:30' })),
      ),
    });
    const meetings = fc.array(fc.tuple(fc.integer({ min: -60, max: 4_320 }), fc.integer({ min: 5, max: 240 })), {
      maxLength: 25,
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(officeWorker, anyWorker), { minLength: 1, maxLength: 4 }),
        anyStart,
        meetings,
        fc.constantFrom(15, 25, 30, 60, 90, 240),
        (workers, from, meetingOffsets, minutes) => {
          const to = from + 3 * DAY_MS;
          const busy = meetingOffsets.map(
            ([start, length]): Span => [from + start * MINUTE_MS, from + (start + length) * MINUTE_MS],
          );
          const problem = { workers, busy, from, to, durationMs: minutes * MINUTE_MS, limit: 3 };
          const working = [...listWorkingSpans(workers, [from, to])].reduce(intersection, [[from, to] as Span]);
          expect(findFreeSpans({ ...problem, working, busy: union(busy) })).toEqual(bruteForce(problem));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds times at a quarter past the UTC hour for Nepal', () => {
    const nepal: Worker = { timezone: 'Asia/Kathmandu', ...DEFAULT_PREFERENCES };
    const from = Date.parse('2026-11-27T02:20:00Z');
    const range: Span = [from, from + 14 * DAY_MS];
    const freeSpans = findFreeSpans({
      working: findWorkingSpans(nepal, range),
      busy: [],
      from,
      durationMs: 5 * HOUR_MS,
      limit: 3,
    });
    expect(freeSpans.map(([start]) => new Date(start).toISOString())).toEqual([
      '2026-11-27T02:30:00.000Z',
      '2026-11-30T02:15:00.000Z',
      '2026-11-30T07:15:00.000Z',
    ]);
  });
});
