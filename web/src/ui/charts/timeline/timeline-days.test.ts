import { describe, expect, it } from '@jest/globals';
import { clipSpan, daysFrom, listMarks, rangeOf, shiftDates, spanOf } from './timeline-days.ts';

const time = (day: string) => `${day}T00:00:00.000Z`;
const dated = (start: string | null, due: string | null) => ({
  startDate: start && time(start),
  dueDate: due && time(due),
});

describe('spanOf', () => {
  it.each([
    [dated('2026-11-02', '2026-11-05'), { first: '2026-11-02', last: '2026-11-05' }],
    [dated(null, '2026-11-05'), { first: '2026-11-05', last: '2026-11-05' }],
    [dated('2026-11-02', null), { first: '2026-11-02', last: '2026-11-02' }],
    [dated(null, null), undefined],
    [dated('2026-11-09', '2026-11-05'), { first: '2026-11-05', last: '2026-11-09' }],
  ])('of %j is %j', ({ startDate, dueDate }, span) => {
    expect(spanOf(startDate, dueDate)).toEqual(span);
  });
});

describe('shiftDates', () => {
  it('moves both dates across months and changes of clocks', () => {
    expect(shiftDates(dated('2026-10-24', '2026-10-31'), 2)).toEqual({
      startDate: '2026-10-26',
      dueDate: '2026-11-02',
    });
  });

  it('adds no date', () => {
    expect(shiftDates(dated(null, '2026-11-05'), -5)).toEqual({ dueDate: '2026-10-31' });
  });
});

it('rangeOf contains today and all bars, with a week before and after', () => {
  const spans = [{ first: '2026-11-02', last: '2026-11-05' }];
  expect(rangeOf(spans, '2026-11-20')).toEqual({ first: '2026-10-26', last: '2026-11-27' });
  expect(rangeOf([], '2026-11-20')).toEqual({ first: '2026-11-13', last: '2026-11-27' });
});

it('rangeOf and clipSpan limit dates that are centuries away', () => {
  const spans = [
    { first: '0001-01-01', last: '2026-11-05' },
    { first: '9999-12-31', last: '9999-12-31' },
  ];
  const range = rangeOf(spans, '2026-11-20');
  expect(listMarks(range, 'week', 1).length).toBeLessThan(600);
  expect(clipSpan({ first: '0001-01-01', last: '2026-11-05' }, range)).toEqual({ ...range, last: '2026-11-05' });
  expect(clipSpan({ first: '9999-12-31', last: '9999-12-31' }, range)).toEqual({ first: range.last, last: range.last });
});

it('daysFrom counts days of the calendar', () => {
  expect(daysFrom('2026-10-24', '2026-10-27')).toBe(3);
});

describe('listMarks', () => {
  const range = { first: '2026-10-20', last: '2026-11-10' };

  it('lists the first days of weeks', () => {
    expect(listMarks(range, 'week', 1)).toEqual(['2026-10-26', '2026-11-02', '2026-11-09']);
  });

  it('lists the first days of months', () => {
    expect(listMarks(range, 'month', 1)).toEqual(['2026-11-01']);
  });
});
