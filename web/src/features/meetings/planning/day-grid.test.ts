import { describe, expect, it } from '@jest/globals';
import { marksOf, placeIn, shownPart } from './day-grid.ts';

const at = (hour: number, minute = 0) => new Date(2026, 10, 20, hour, minute).getTime();
const span = (from: number, to: number) => ({ start: at(from), end: at(to) });

describe('the grid of a day', () => {
  it('shows seven to eight, and what lies beyond where that was chosen', () => {
    expect(shownPart('2026-11-20', undefined)).toEqual(span(7, 20));
    expect(shownPart('2026-11-20', span(9, 10))).toEqual(span(7, 20));
    expect(shownPart('2026-11-20', { start: at(5, 30), end: at(22, 15) })).toEqual(span(5, 23));
    expect(shownPart('2026-11-20', { start: at(23), end: at(26) })).toEqual(span(7, 24));
    expect(shownPart('', undefined)).toBeUndefined();
  });

  it('puts each stretch where it is, and cuts what lies outside', () => {
    const part = span(10, 20);
    expect(placeIn(part, span(11, 13))).toEqual({ left: 10, width: 20 });
    expect(placeIn(part, span(8, 11))).toEqual({ left: 0, width: 10 });
    expect(placeIn(part, span(8, 10))).toBeUndefined();
  });

  it('names so many hours as there is room for', () => {
    expect(marksOf(span(7, 20)).map((mark) => new Date(mark).getHours())).toEqual([7, 9, 11, 13, 15, 17, 19]);
    expect(marksOf(span(0, 24))).toHaveLength(6);
  });
});
