import { describe, expect, it } from '@jest/globals';
import { dayOfDate } from '#lib/time/day.ts';
import { countByWeek } from './weeks.ts';

const MONDAY = 1;

describe('countByWeek', () => {
  const period = { from: new Date('2026-10-20T10:00:00'), now: new Date('2026-11-04T10:00:00'), firstDay: MONDAY };

  it('sums days by week, and has weeks without completions', () => {
    const completions = [
      { day: '2026-10-19', count: 2 },
      { day: '2026-10-25', count: 1 },
      { day: '2026-11-02', count: 4 },
    ];
    const weeks = countByWeek(completions, period);
    expect(weeks.map(({ start, count }) => [dayOfDate(start), count])).toEqual([
      ['2026-10-19', 3],
      ['2026-10-26', 0],
      ['2026-11-02', 4],
    ]);
    expect(weeks.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true]);
  });

  it('has weeks that begin and end at midnight, also across a change of clocks', () => {
    const weeks = countByWeek([], period);
    expect(weeks.flatMap(({ start, end }) => [start.getHours(), end.getHours()])).toEqual([0, 0, 0, 0, 0, 0]);
    expect(weeks[0]?.end).toEqual(weeks[1]?.start);
  });
});
