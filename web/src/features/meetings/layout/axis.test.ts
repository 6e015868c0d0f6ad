import { fromAbsolute, parseDate } from '@internationalized/date';
import { describe, expect, it } from '@jest/globals';
import { type Clock, createAxis, findGaps, getPosition, instantAt, positionOfEnd } from './axis.ts';
import { DAY_MS, HOUR_MS } from './span.ts';

const clockIn = (zone: string): Clock => ({
  startOf: (day) => parseDate(day).toDate(zone).getTime(),
  minutesAt(at) {
    const { hour, minute } = fromAbsolute(at, zone);
    return hour * 60 + minute;
  },
});

const rowLabel = ({ minutes, repeat }: { minutes: number; repeat: number }) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}${repeat ? ' again' : ''}`;
const WEEK = (first: number, month: number, year = 2026) =>
  Array.from({ length: 7 }, (_, index) => new Date(Date.UTC(year, month, first + index)).toISOString().slice(0, 10));

describe.each([
  ['Europe/Berlin', WEEK(22, 10), 24],
  ['Europe/Berlin', WEEK(25, 9), 25],
  ['Europe/Berlin', WEEK(29, 2), 23],
  ['America/New_York', WEEK(1, 10), 25],
  ['America/New_York', WEEK(8, 2), 23],
  ['Asia/Kathmandu', WEEK(22, 10), 24],
  ['Australia/Lord_Howe', WEEK(5, 3), 24.5],
  ['Australia/Lord_Howe', WEEK(4, 9), 23.5],
  ['America/Havana', WEEK(1, 10), 25],
  ['Africa/Cairo', WEEK(19, 3), 23],
])('time axis of a week in %s from %j', (zone, days, longest) => {
  const clock = clockIn(zone);

  it('maps every instant to a position and back, monotonically', () => {
    const axis = createAxis(days, clock);
    for (const day of axis.days) {
      let last = -1;
      for (let at = day.start; at < day.end; at += HOUR_MS / 4) {
        const position = getPosition(day, at);
        expect(instantAt(day, position)).toBe(at);
        expect(position).toBeGreaterThan(last);
        const row = axis.rows[Math.floor(position)];
        expect((row?.minutes ?? -1) + (position % 1) * 30).toBeCloseTo(clock.minutesAt(at), 6);
        last = position;
      }
      expect(positionOfEnd(day, day.start + HOUR_MS)).toBeCloseTo((day.positions[1] ?? 0) + 1, 5);
      expect(instantAt(day, axis.rows.length)).toBe(day.end);
    }
  });

  it('has as many rows as the day has half hours', () => {
    const lengths = createAxis(days, clock).days.map(({ start, end }) => (end - start) / HOUR_MS);
    expect(lengths.filter((length) => length !== 24)).toEqual(longest === 24 ? [] : [longest]);
  });
});

describe('time axis of a day with a clock change', () => {
  const clock = clockIn('Europe/Berlin');

  it('shows the repeated hour of a 25-hour day below the first, empty on other days', () => {
    const axis = createAxis(WEEK(25, 9), clock);
    expect(axis.rows).toHaveLength(50);
    expect(axis.rows.slice(3, 9).map(rowLabel)).toEqual([
      '01:30',
      '02:00',
      '02:30',
      '02:00 again',
      '02:30 again',
      '03:00',
    ]);
    const [sunday, monday] = axis.days;
    if (!sunday || !monday) throw new Error('no days');
    expect(findGaps(axis, sunday)).toEqual([]);
    expect(findGaps(axis, monday)).toEqual([{ start: 6, end: 8 }]);
    expect(sunday.end - sunday.start).toBe(25 * HOUR_MS);
    // Both are at 2 AM; the second is an hour later.
    expect([getPosition(sunday, sunday.start + 2 * HOUR_MS), getPosition(sunday, sunday.start + 3 * HOUR_MS)]).toEqual([
      4, 6,
    ]);
    // On a day that skips it, the position maps to the next existing instant.
    expect(instantAt(monday, 6.5)).toBe(monday.start + 3 * HOUR_MS);
  });

  it('skips 2 AM on a 23-hour day', () => {
    const axis = createAxis(['2026-03-29'], clock);
    const [day] = axis.days;
    if (!day) throw new Error('no day');
    expect(axis.rows).toHaveLength(48);
    expect(findGaps(axis, day)).toEqual([{ start: 4, end: 6 }]);
    expect(day.end - day.start).toBe(DAY_MS - HOUR_MS);
    expect(getPosition(day, day.start + 2 * HOUR_MS)).toBe(6);
    expect(clock.minutesAt(instantAt(day, 4.5))).toBe(3 * 60);
  });
});
