import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { placeSideBySide } from './overlaps.ts';
import { overlaps } from './span.ts';

const placesOf = (items: readonly (readonly [number, number])[]) =>
  placeSideBySide(items.map(([start, end]) => ({ start, end }))).map(({ item, column, columns, spread }) => [
    item.start,
    item.end,
    `${column + 1}/${columns}`,
    spread,
  ]);

describe('placeSideBySide', () => {
  it('places overlapping items side by side, but not adjacent ones', () => {
    expect(
      placesOf([
        [9, 10],
        [10, 11],
      ]),
    ).toEqual([
      [9, 10, '1/1', 1],
      [10, 11, '1/1', 1],
    ]);
    expect(
      placesOf([
        [9, 11],
        [10, 12],
      ]),
    ).toEqual([
      [9, 11, '1/2', 1],
      [10, 12, '2/2', 1],
    ]);
  });

  it('spreads items over free columns', () => {
    // Three start at nine; the one at eleven overlaps only the first.
    expect(
      placesOf([
        [9, 12],
        [9, 10],
        [9, 10],
        [11, 12],
      ]),
    ).toEqual([
      [9, 12, '1/3', 1],
      [9, 10, '2/3', 1],
      [9, 10, '3/3', 1],
      [11, 12, '2/3', 2],
    ]);
  });

  it('covers and loses no item', () => {
    const item = fc.tuple(fc.integer({ min: 0, max: 48 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), (ranges) => {
        const placed = placeSideBySide(ranges.map(([start, length]) => ({ start, end: start + length })));
        expect(placed).toHaveLength(ranges.length);
        for (const [index, one] of placed.entries()) {
          expect(one.column + one.spread).toBeLessThanOrEqual(one.columns);
          for (const other of placed.slice(index + 1)) {
            if (!overlaps(one.item, other.item)) continue;
            expect(one.columns).toBe(other.columns);
            const isBeside = one.column + one.spread <= other.column || other.column + other.spread <= one.column;
            expect(isBeside).toBe(true);
          }
        }
      }),
    );
  });
});
