import { describe, expect, it } from '@jest/globals';
import { listDays } from './read-activity-history.ts';

const list = (now: string, timezone: string) =>
  listDays(Date.parse(now), { dayCount: 2, timezone }).map((day) => new Date(day).toISOString());

describe('listDays', () => {
  it.each([
    ['2026-10-25T23:30:00Z', 'UTC', '2026-10-24', '2026-10-25'],
    ['2026-10-25T23:30:00Z', 'Europe/Berlin', '2026-10-25', '2026-10-26'],
    ['2026-10-26T02:30:00Z', 'America/New_York', '2026-10-24', '2026-10-25'],
  ])('at %s in %s are %s and %s', (now, timezone, first, last) => {
    expect(list(now, timezone)).toEqual([`${first}T00:00:00.000Z`, `${last}T00:00:00.000Z`]);
  });
});
