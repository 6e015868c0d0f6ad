import { describe, expect, it } from '@jest/globals';
import { dateOfDay, dayOfDate } from '#lib/time/day.ts';
import { daysFromToday, formatRelativeTime } from './time-format.ts';

const now = Date.UTC(2026, 10, 20, 12);
const timeBefore = (ms: number) => new Date(now - ms).toISOString();
const MINUTE = 60_000;

describe('relative times', () => {
  it('are relative within a week and a date otherwise', () => {
    expect(formatRelativeTime(timeBefore(20_000), now)).toBe('just now');
    expect(formatRelativeTime(timeBefore(5 * MINUTE), now)).toBe('5 minutes ago');
    expect(formatRelativeTime(timeBefore(60 * 24 * MINUTE), now)).toBe('yesterday');
    expect(formatRelativeTime(timeBefore(60 * 24 * 30 * MINUTE), now)).toMatch(/2026/);
  });

  it('are "yesterday" only for the previous day, beyond 24 hours', () => {
    const morning = new Date(2026, 10, 20, 8).getTime();
    const evening = new Date(2026, 10, 20, 23).getTime();
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
    expect(formatRelativeTime(at(18, 22), morning)).toBe('2 days ago');
    expect(formatRelativeTime(at(19, 1), evening)).toBe('yesterday');
    expect(formatRelativeTime(at(19, 22), morning)).toBe('10 hours ago');
    expect(formatRelativeTime(at(14, 1), evening)).toBe('6 days ago');
    expect(formatRelativeTime(at(13, 23), morning)).toMatch(/2026/);
    expect(formatRelativeTime(at(22, 1), evening)).toBe('in 2 days');
  });

  it('are empty for an invalid time', () => {
    expect(formatRelativeTime('never', now)).toBe('');
  });

  it('count days by the calendar, not by hours', () => {
    const lateTonight = new Date(2026, 10, 20, 23, 30);
    expect(daysFromToday(new Date(2026, 10, 21, 0, 30).toISOString(), lateTonight)).toBe(1);
    expect(daysFromToday(new Date(2026, 10, 20, 0, 10).toISOString(), lateTonight)).toBe(0);
  });
});

describe('days', () => {
  it('round-trip through a date', () => {
    const date = dateOfDay('2026-03-29');
    expect(date && dayOfDate(date)).toBe('2026-03-29');
  });

  it('reject invalid input', () => {
    expect(dateOfDay('')).toBeUndefined();
    expect(dateOfDay('29.03.2026')).toBeUndefined();
  });
});
