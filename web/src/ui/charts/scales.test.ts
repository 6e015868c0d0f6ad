import { describe, expect, it } from '@jest/globals';
import { createCountScale, createPercentScale, createTimeScale, spreadLabels, thinOut } from './scales.ts';

describe('createCountScale', () => {
  it.each([0, 1, 3, 7, 12, 250])('starts at zero and reaches %i', (max) => {
    const { y, ticks } = createCountScale(max, 200);
    expect(y(0)).toBe(200);
    expect(y(max)).toBeGreaterThanOrEqual(0);
    expect(ticks[0]).toBe(0);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.every(Number.isInteger)).toBe(true);
  });

  it('draws twice the count twice as high', () => {
    const { y } = createCountScale(8, 200);
    expect(200 - y(8)).toBeCloseTo(2 * (200 - y(4)));
  });
});

it('createPercentScale reaches from 0 to 100, whatever the values are', () => {
  const { y } = createPercentScale(100);
  expect([y(0), y(50), y(100)]).toEqual([100, 50, 0]);
});

describe('createTimeScale', () => {
  const from = new Date(2026, 9, 20).getTime();
  const to = new Date(2026, 10, 3).getTime();

  it('runs from left to right, and mirrored in RTL', () => {
    const ltr = createTimeScale([from, to], [10, 110], false);
    const rtl = createTimeScale([from, to], [10, 110], true);
    expect([ltr(from), ltr(to)]).toEqual([10, 110]);
    expect([rtl(from), rtl(to)]).toEqual([110, 10]);
  });

  it('has ticks at local midnights, also across a change of clocks', () => {
    const ticks = createTimeScale([from, to], [0, 400], false).ticks(14);
    expect(ticks.length).toBeGreaterThan(6);
    expect(ticks.map((tick) => tick.getHours())).toEqual(ticks.map(() => 0));
  });
});

describe('thinOut', () => {
  const positionOf = (position: number) => position;

  it('keeps the last position, and as many as have the distance', () => {
    expect(thinOut([0, 30, 60, 90, 120], positionOf, 50)).toEqual([0, 60, 120]);
    expect(thinOut([120, 90, 60, 30], positionOf, 80)).toEqual([120, 30]);
  });

  it('keeps all that are apart, and a single one', () => {
    expect(thinOut([0, 60, 120], positionOf, 50)).toEqual([0, 60, 120]);
    expect(thinOut([7], positionOf, 50)).toEqual([7]);
  });
});

describe('spreadLabels', () => {
  it('moves overlapping labels apart and keeps their order', () => {
    expect(spreadLabels([100, 98], 14, 200)).toEqual([100, 86]);
    expect(spreadLabels([98, 100], 14, 200)).toEqual([86, 100]);
  });

  it('keeps labels above the limit, and leaves others where they are', () => {
    expect(spreadLabels([210, 50], 14, 200)).toEqual([200, 50]);
  });
});
