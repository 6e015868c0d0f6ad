import { describe, expect, it } from '@jest/globals';
import { listHourMarks, positionIn, shownPart } from './day-grid.ts';

const at = (hour: number, minute = 0) => new Date(2026, 10, 20, hour, minute).getTime();
const span = (from: number, to: number) => ({ start: at(from), end: at(to) });

describe('day grid', () => {
  it('shows 7 AM to 8 PM, extended to include the selected time', () => {
    expect(shownPart('2026-11-20', undefined)).toEqual(span(7, 20));
    expect(shownPart('2026-11-20', span(9, 10))).toEqual(span(7, 20));
    expect(shownPart('2026-11-20', { start: at(5, 30), end: at(22, 15) })).toEqual(span(5, 23));
    expect(shownPart('2026-11-20', { start: at(23), end: at(26) })).toEqual(span(7, 24));
    expect(shownPart('', undefined)).toBeUndefined();
  });

  it('places spans, and clips them at its bounds', () => {
    const part = span(10, 20);
    expect(positionIn(part, span(11, 13))).toEqual({ left: 10, width: 20 });
    expect(positionIn(part, span(8, 11))).toEqual({ left: 0, width: 10 });
    expect(positionIn(part, span(8, 10))).toBeUndefined();
  });

  it('labels as many hours as fit', () => {
    expect(listHourMarks(span(7, 20)).map((mark) => new Date(mark).getHours())).toEqual([7, 9, 11, 13, 15, 17, 19]);
    expect(listHourMarks(span(0, 24))).toHaveLength(6);
  });
});
