import { describe, expect, it } from '@jest/globals';
import { dayOfDate } from '#lib/time/day.ts';
import { dayRange, daysWithMeetings, monthOf, sheetRange } from './month-range.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

describe('meeting calendar', () => {
  it('marks each day with meetings once, and both days of a meeting that crosses midnight', () => {
    const days = daysWithMeetings([
      { startTime: at(20, 9), endTime: at(20, 10) },
      { startTime: at(20, 15), endTime: at(20, 16) },
      { startTime: at(22, 23), endTime: at(23, 1) },
      { startTime: at(24, 22), endTime: new Date(2026, 10, 25).toISOString() },
    ]);
    expect([...days]).toEqual(['2026-11-20', '2026-11-22', '2026-11-23', '2026-11-24']);
  });

  it('requests the whole sheet of a month, and a day from midnight to midnight', () => {
    const { from, to } = sheetRange('2026-11');
    expect([dayOfDate(new Date(from)), dayOfDate(new Date(to))]).toEqual(['2026-10-26', '2026-12-07']);
    expect(dayRange('2026-11-20')).toEqual({ from: at(20, 0), to: at(21, 0) });
    expect(dayRange('someday')).toBeNull();
    expect(sheetRange('nonsense')).toEqual(sheetRange(monthOf(new Date())));
  });
});
