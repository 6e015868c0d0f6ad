import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { placeSideBySide } from './overlaps.ts';
import { overlaps } from './span.ts';

const describePlaces = (items: readonly (readonly [number, number])[]) =>
  placeSideBySide(items.map(([start, end]) => ({ start, end }))).map(({ item, column, columns, spread }) => [
    item.start,
    item.end,
    `${column + 1}/${columns}`,
    spread,
  ]);

describe('placeSideBySide', () => {
  it('places overlapping items side by side, but not adjacent ones', () => {
    expect(
      describePlaces([
        [9, 10],
        [10, 11],
      ]),
    ).toEqual([
      [9, 10, '1/1', 1],
      [10, 11, '1/1', 1],
    ]);
    expect(
      describePlaces([
        [9, 11],
        [10, 12],
      ]),
    ).toEqual([
      [9, 11, '1/2', 1],
      [10, 12, '2/2', 1],
    ]);
  });

  it('spreads items over free columns', () => {
    // Three items start at nine; the item at eleven overlaps only the first.
    expect(
      describePlaces([
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

  it('places every item, and covers none', () => {
    const item = fc.tuple(fc.integer({ min: 0, max: 48 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), (ranges) => {
        const placements = placeSideBySide(ranges.map(([start, length]) => ({ start, end: start + length })));
        expect(placements).toHaveLength(ranges.length);
        for (const [index, first] of placements.entries()) {
          expect(first.column + first.spread).toBeLessThanOrEqual(first.columns);
          for (const other of placements.slice(index + 1)) {
            if (!overlaps(first.item, other.item)) continue;
            expect(first.columns).toBe(other.columns);
            const isBeside = first.column + first.spread <= other.column || other.column + other.spread <= first.column;
            expect(isBeside).toBe(true);
          }
        }
      }),
    );
  });
});
