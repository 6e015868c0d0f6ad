import { describe, expect, it } from '@jest/globals';
import { dueTimeText, reminderTimes, sendTimes } from './due-times.ts';

// 20 November 2026 is a Friday.
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const suggested = (times: { at: Date }[]) => times.map((time) => time.at);

describe('sendTimes', () => {
  it('suggests the afternoon only before it', () => {
    expect(suggested(sendTimes(at(20, 10)))).toEqual([at(20, 10, 30), at(20, 14), at(21, 9), at(23, 9)]);
    expect(suggested(sendTimes(at(20, 13, 30)))).toEqual([at(20, 14), at(21, 9), at(23, 9)]);
  });

  it('suggests Monday once on a Sunday, and the next one on a Monday', () => {
    expect(suggested(sendTimes(at(22, 20)))).toEqual([at(22, 20, 30), at(23, 9)]);
    expect(suggested(sendTimes(at(23, 20)))).toEqual([at(23, 20, 30), at(24, 9), at(30, 9)]);
  });
});

it('reminderTimes suggests later times of the day, and the next morning', () => {
  expect(suggested(reminderTimes(at(20, 10)))).toEqual([at(20, 10, 20), at(20, 11), at(20, 13), at(21, 9)]);
});

it('dueTimeText names the day', () => {
  const now = at(20, 10);
  expect(dueTimeText(at(20, 14).toISOString(), now)).toMatch(/^today at /);
  expect(dueTimeText(at(21, 9).toISOString(), now)).toMatch(/^tomorrow at /);
  expect(dueTimeText(at(23, 9).toISOString(), now)).toContain('Mon');
  expect(dueTimeText(new Date(2027, 1, 1, 9).toISOString(), now)).toContain('2027');
});
