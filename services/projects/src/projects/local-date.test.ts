import { describe, expect, it } from '@jest/globals';
import { listCurrentDates } from './local-date.ts';

describe('listCurrentDates', () => {
  it.each([
    ['2026-11-29T11:00:00Z', ['2026-11-28', '2026-11-29', '2026-11-30']],
    ['2026-11-29T12:00:00Z', ['2026-11-29', '2026-11-30']],
    ['2026-12-31T09:59:59Z', ['2026-12-30', '2026-12-31']],
    ['2026-12-31T10:00:00Z', ['2026-12-30', '2026-12-31', '2027-01-01']],
  ])('returns the dates of all time zones at %s', (now, dates) => {
    expect(listCurrentDates(new Date(now))).toEqual(dates);
  });
});
