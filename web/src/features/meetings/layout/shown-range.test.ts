import { describe, expect, it } from '@jest/globals';
import { dayAfter, firstHourOf, rangeOf, rangeWords, shownDays, turnedDay } from './shown-range.ts';

describe('what a calendar shows around a day', () => {
  it('is whole weeks from Sunday on', () => {
    const week = shownDays('week', '2026-11-25');
    expect([week.length, week[0], week.at(-1)]).toEqual([7, '2026-11-22', '2026-11-28']);
    const month = shownDays('month', '2026-11-25');
    expect([month.length, month[0], month.at(-1)]).toEqual([35, '2026-11-01', '2026-12-05']);
    // The longest month there can be, and the shortest.
    expect(shownDays('month', '2026-08-10')).toHaveLength(42);
    expect(shownDays('month', '2026-02-10')).toHaveLength(28);
    expect(shownDays('day', '2026-11-25')).toEqual(['2026-11-25']);
    expect(shownDays('agenda', '2026-11-25')).toHaveLength(28);
  });

  it('is asked for from the first moment to the last', () => {
    const { from, to } = rangeOf(shownDays('week', '2026-11-25'));
    expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 10, 22), new Date(2026, 10, 29)]);
  });

  it('is turned by its own length, and by months to a day that there is', () => {
    expect(turnedDay('week', '2026-11-25', 1)).toBe('2026-12-02');
    expect(turnedDay('day', '2026-11-30', 1)).toBe('2026-12-01');
    expect(turnedDay('month', '2026-10-31', 1)).toBe('2026-11-30');
    expect(turnedDay('month', '2026-03-31', -1)).toBe('2026-02-28');
    expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  });

  it('is named by what it is', () => {
    expect(rangeWords('month', '2026-11-25')).toBe('November 2026');
    expect(rangeWords('day', '2026-11-25')).toContain('Wednesday');
    expect(rangeWords('week', '2026-11-25')).toMatch(/22.*28.*2026/);
  });

  it('has its first hour for a meeting while that is to come', () => {
    const at = (hours: number) => new Date(2026, 10, 25, hours).getTime();
    expect(firstHourOf('2026-11-25', at(8))).toEqual({ start: at(9), end: at(10) });
    expect(firstHourOf('2026-11-25', at(9))).toBeUndefined();
    expect(firstHourOf('2026-11-24', at(8))).toBeUndefined();
  });

  it('is what is around today for what is no day', () => {
    expect(shownDays('day', 'someday')).toEqual(shownDays('day', ''));
  });
});
