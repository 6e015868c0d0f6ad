import { describe, expect, it, jest } from '@jest/globals';
import { formatNumber } from '../number-formats.ts';
import { formatTime, timeParts } from './formats.ts';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

describe('formats', () => {
  it('write dates and numbers in English', () => {
    const time = new Date(2026, 10, 20, 14, 5);
    expect(formatTime(time, DAY)).toBe('Nov 20, 2026');
    expect(formatTime(time.toISOString(), { hour: 'numeric', minute: '2-digit' })).toBe('2:05 PM');
    expect(timeParts(time, DAY).map(({ value }) => value)).toContain('2026');
    expect(formatNumber(12_345)).toBe('12,345');
  });

  it('return an empty string for an invalid time', () => {
    expect(formatTime('never', DAY)).toBe('');
    expect(formatTime(undefined, DAY)).toBe('');
    expect(timeParts('never', DAY)).toEqual([]);
  });

  it('create one formatter for all rows of a list', () => {
    const createFormatter = jest.spyOn(Intl, 'DateTimeFormat');
    for (let row = 0; row < 100; row += 1) formatTime(row * 864e5, { weekday: 'long' });
    expect(createFormatter).toHaveBeenCalledTimes(1);
    createFormatter.mockRestore();
  });
});
