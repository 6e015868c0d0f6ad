import { describe, expect, it } from '@jest/globals';
import { dayOfDate } from './day.ts';
import { startOfWeek } from './weeks.ts';

const SUNDAY = 0;
const MONDAY = 1;

describe('startOfWeek', () => {
  it.each([
    ['2026-11-29', SUNDAY, '2026-11-29'],
    ['2026-11-28', SUNDAY, '2026-11-22'],
    ['2026-11-29', MONDAY, '2026-11-23'],
    ['2026-11-30', MONDAY, '2026-11-30'],
  ])('of %s, if weeks start with the day %i, is %s', (day, firstDay, start) => {
    expect(dayOfDate(startOfWeek(new Date(`${day}T23:30:00`), firstDay))).toBe(start);
  });
});
