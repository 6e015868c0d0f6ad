import { describe, expect, it } from '@jest/globals';
import { dayAfter, rangeLabel, shiftDay, shownDays, suggestFirstHour, toRange } from './shown-range.ts';

describe('calendar range', () => {
  it('shows whole weeks from Sunday', () => {
    const week = shownDays('week', '2026-11-25');
    expect([week.length, week[0], week.at(-1)]).toEqual([7, '2026-11-22', '2026-11-28']);
    const month = shownDays('month', '2026-11-25');
    expect([month.length, month[0], month.at(-1)]).toEqual([35, '2026-11-01', '2026-12-05']);
    // The longest and the shortest month sheet.
    expect(shownDays('month', '2026-08-10')).toHaveLength(42);
    expect(shownDays('month', '2026-02-10')).toHaveLength(28);
    expect(shownDays('day', '2026-11-25')).toEqual(['2026-11-25']);
    expect(shownDays('agenda', '2026-11-25')).toHaveLength(28);
  });

  it('covers the first to the last instant', () => {
    const { from, to } = toRange(shownDays('week', '2026-11-25'));
    expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 10, 22), new Date(2026, 10, 29)]);
  });

  it('moves by its own length, and by months to an existing day', () => {
    expect(shiftDay('week', '2026-11-25', 1)).toBe('2026-12-02');
    expect(shiftDay('day', '2026-11-30', 1)).toBe('2026-12-01');
    expect(shiftDay('month', '2026-10-31', 1)).toBe('2026-11-30');
    expect(shiftDay('month', '2026-03-31', -1)).toBe('2026-02-28');
    expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  });

  it('has a heading for each view', () => {
    expect(rangeLabel('month', '2026-11-25')).toBe('November 2026');
    expect(rangeLabel('day', '2026-11-25')).toContain('Wednesday');
    expect(rangeLabel('week', '2026-11-25')).toMatch(/22.*28.*2026/);
  });

  it('suggests the first hour for a new meeting while it is in the future', () => {
    const at = (hours: number) => new Date(2026, 10, 25, hours).getTime();
    expect(suggestFirstHour('2026-11-25', at(8))).toEqual({ start: at(9), end: at(10) });
    expect(suggestFirstHour('2026-11-25', at(9))).toBeUndefined();
    expect(suggestFirstHour('2026-11-24', at(8))).toBeUndefined();
  });

  it('falls back to today for an invalid day', () => {
    expect(shownDays('day', 'someday')).toEqual(shownDays('day', ''));
  });
});
