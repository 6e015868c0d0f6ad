import { describe, expect, it } from '@jest/globals';
import { clockTime } from '#ui/times/time-format.ts';
import { pauseEndText, pauseTimes } from './pause-times.ts';

// 20 November 2026 is a Friday.
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const suggested = (now: Date) => pauseTimes(now).map(({ until }) => until);

describe('pauseTimes', () => {
  it('suggests an hour, the next morning, and the next Monday', () => {
    expect(suggested(at(20, 16, 30))).toEqual([at(20, 17, 30), at(21, 8), at(23, 8)]);
    expect(suggested(at(23, 7))).toEqual([at(23, 8), at(24, 8), at(30, 8)]);
  });

  it('suggests Monday once on a Sunday', () => {
    expect(suggested(at(22, 9))).toEqual([at(22, 10), at(23, 8)]);
  });
});

it('pauseEndText names the day unless it is today', () => {
  const now = at(20, 10);
  const text = (end: Date) => pauseEndText(end.toISOString(), now);
  expect(text(at(20, 11))).toBe(clockTime(at(20, 11).getTime()));
  expect(text(at(21, 8))).toBe(`tomorrow, ${clockTime(at(21, 8).getTime())}`);
  expect(text(at(23, 8))).toContain('Mon');
});
