import { describe, expect, it } from '@jest/globals';
import { cumulate } from './cumulate.ts';

const DAYS = [
  { day: '2026-10-23', files: 2, bytes: 200 },
  { day: '2026-10-26', files: 1, bytes: 50 },
];
const shorten = (points: ReturnType<typeof cumulate>) => points.map(({ day, values }) => [day, ...values]);

describe('cumulate', () => {
  it('has every day of the period, also across a change of clocks, with the sums of all days up to it', () => {
    const points = cumulate(DAYS, ['files', 'bytes'], { from: '2026-10-24', to: '2026-10-27' });
    expect(shorten(points)).toEqual([
      ['2026-10-24', 2, 200],
      ['2026-10-25', 2, 200],
      ['2026-10-26', 3, 250],
      ['2026-10-27', 3, 250],
    ]);
    expect(points.map(({ time }) => new Date(time).getHours())).toEqual([0, 0, 0, 0]);
  });

  it('begins at the first day with something to sum', () => {
    const points = cumulate(DAYS, ['files'], { from: '2026-01-01', to: '2026-10-24' });
    expect(shorten(points)).toEqual([
      ['2026-10-23', 2],
      ['2026-10-24', 2],
    ]);
  });

  it('is zero without anything to sum', () => {
    expect(shorten(cumulate([], ['files'], { from: '2026-10-01', to: '2026-10-24' }))).toEqual([['2026-10-24', 0]]);
  });
});
