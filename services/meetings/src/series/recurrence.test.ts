import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { dayRange, localDay, moveFirst, type Pattern, slotOf, startsOf } from './recurrence.ts';

const at = (local: string, zone = 'Europe/Berlin') =>
  new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds);
const wall = (date: Date, zone = 'Europe/Berlin') =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString()
    .slice(0, 16);
const pattern = (given: Partial<Pattern>): Pattern => ({
  frequency: 'daily',
  first: at('2026-10-23T09:00'),
  timezone: 'Europe/Berlin',
  lastDay: null,
  ...given,
});
const LATER = new Date('2036-01-01');

describe('the starts of a rule', () => {
  it('keep their local time when Berlin turns its clocks back in October', () => {
    const { starts } = startsOf(pattern({ lastDay: '2026-10-26' }), { until: LATER, max: 100 });
    expect(starts.map((start) => start.toISOString())).toEqual([
      '2026-10-23T07:00:00.000Z',
      '2026-10-24T07:00:00.000Z',
      '2026-10-25T08:00:00.000Z',
      '2026-10-26T08:00:00.000Z',
    ]);
  });

  it('keep their local time when New York turns its clocks forward in March', () => {
    const rule = pattern({
      frequency: 'weekly',
      first: at('2026-03-02T09:00', 'America/New_York'),
      timezone: 'America/New_York',
      lastDay: '2026-03-16',
    });
    expect(startsOf(rule, { until: LATER, max: 100 }).starts.map((start) => start.toISOString())).toEqual([
      '2026-03-02T14:00:00.000Z',
      '2026-03-09T13:00:00.000Z',
      '2026-03-16T13:00:00.000Z',
    ]);
  });

  it('leave out the months that lack the day', () => {
    const rule = pattern({ frequency: 'monthly', first: at('2027-01-31T09:00'), lastDay: '2027-07-31' });
    expect(startsOf(rule, { until: LATER, max: 100 }).starts.map((start) => wall(start))).toEqual([
      '2027-01-31T09:00',
      '2027-03-31T09:00',
      '2027-05-31T09:00',
      '2027-07-31T09:00',
    ]);
  });

  it('include the last day in the zone of the meeting, not in UTC', () => {
    const rule = pattern({ first: at('2026-11-20T23:30'), lastDay: '2026-11-21' });
    expect(startsOf(rule, { until: LATER, max: 100 })).toEqual({
      starts: [at('2026-11-20T23:30'), at('2026-11-21T23:30')],
      complete: true,
    });
  });

  it('go on where the last batch ended and say when there are no more', () => {
    const rule = pattern({ lastDay: '2026-10-27' });
    const first = startsOf(rule, { until: LATER, max: 3 });
    expect(first).toMatchObject({ complete: false, starts: { length: 3 } });
    const rest = startsOf(rule, { after: first.starts.at(-1), until: LATER, max: 3 });
    expect(rest.starts.map((start) => wall(start))).toEqual(['2026-10-26T09:00', '2026-10-27T09:00']);
    expect(rest.complete).toBe(true);
  });
});

/** The same by counting days on the wall clock alone, without the library. */
function counted(rule: Pattern, many: number): string[] {
  const first = Temporal.Instant.fromEpochMilliseconds(rule.first.getTime()).toZonedDateTimeISO(rule.timezone);
  const found: string[] = [];
  for (let turn = 0; found.length < many; turn += 1) {
    const unit =
      rule.frequency === 'daily' ? { days: turn } : rule.frequency === 'weekly' ? { weeks: turn } : { months: turn };
    const day = first.toPlainDate().add(unit);
    const local = day.toPlainDateTime(first.toPlainTime());
    const exists = local.toZonedDateTime(rule.timezone).toPlainDateTime().equals(local);
    // The first one is when it was said to be, also in the second of the two hours that an autumn night has.
    if (turn === 0) found.push(rule.first.toISOString());
    else if (exists && (day.day === first.day || rule.frequency !== 'monthly'))
      found.push(new Date(local.toZonedDateTime(rule.timezone).epochMilliseconds).toISOString());
  }
  return found;
}

const anyRule = fc
  .record({
    frequency: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
    minutes: fc.integer({ min: 0, max: 60 * 24 * 365 * 8 }),
  })
  .map(({ frequency, timezone, minutes }): Pattern => {
    const first = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000);
    return { frequency, timezone, first, lastDay: null };
  });

describe('any rule', () => {
  it('gives what counting on the wall clock gives', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const { starts } = startsOf(rule, { until: new Date('2099-01-01'), max: 60 });
        expect(starts.map((start) => start.toISOString())).toEqual(counted(rule, 60));
      }),
      { numRuns: 150 },
    );
  });

  it('begins in the second of two hours of one name, where that was meant, and goes on at the same time of day', () => {
    const rule = pattern({ first: new Date('2030-10-27T01:00:00Z'), timezone: 'Europe/Berlin' });
    const { starts } = startsOf(rule, { until: LATER, max: 2 });
    expect(starts.map((start) => start.toISOString())).toEqual([
      '2030-10-27T01:00:00.000Z',
      '2030-10-28T01:00:00.000Z',
    ]);
  });

  it('counts each start once, upwards from nought', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const { starts } = startsOf(rule, { until: new Date('2099-01-01'), max: 40 });
        const slots = starts.map((start) => slotOf(rule, start));
        expect(slots[0]).toBe(0);
        expect(slots).toEqual([...new Set(slots)].sort((a, b) => a - b));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a series that moves with one of its meetings', () => {
  it('moves as many days and to the same time of day', () => {
    const first = moveFirst(pattern({}), {
      from: at('2026-10-30T09:00'),
      to: at('2026-10-31T11:30'),
      newTimezone: 'Europe/Berlin',
    });
    expect(wall(first)).toBe('2026-10-24T11:30');
  });

  it('takes the time of day in the new zone', () => {
    const to = at('2026-10-30T09:00', 'America/New_York');
    const first = moveFirst(pattern({}), { from: at('2026-10-30T09:00'), to, newTimezone: 'America/New_York' });
    expect(wall(first, 'America/New_York')).toBe('2026-10-23T09:00');
  });
});

describe('local days', () => {
  it('are those of the zone', () => {
    expect(localDay(new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin')).toBe('2026-11-21');
    expect(localDay(new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin', -1)).toBe('2026-11-20');
  });

  it('have 25 hours when the clocks go back', () => {
    const { from, to } = dayRange(at('2026-10-25T12:00'), 'Europe/Berlin');
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(25);
  });
});
