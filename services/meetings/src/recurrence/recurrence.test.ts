import { writeCalendar } from '@atrium/calendar/write-calendar';
import { DEFAULT_RECURRENCE, startError, WEEKDAYS } from '@atrium/proto-events/recurrence/rule';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { dayRange, localDay, localTime } from './local-time.ts';
import { alignFirst, findStarts, getPosition, moveFirst, type Pattern } from './recurrence.ts';

const at = (local: string, zone = 'Europe/Berlin') =>
  new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds);
const wall = (date: Date, zone = 'Europe/Berlin') =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString()
    .slice(0, 16);
const pattern = (overrides: Partial<Pattern>): Pattern => ({
  ...DEFAULT_RECURRENCE,
  frequency: 'daily',
  first: at('2026-10-23T09:00'),
  timezone: 'Europe/Berlin',
  lastDay: null,
  ...overrides,
});
const LATER = new Date('2036-01-01');

describe('findStarts', () => {
  it("keeps the local time when Berlin's clocks go back in October", () => {
    const { starts } = findStarts(pattern({ lastDay: '2026-10-26' }), { until: LATER, max: 100 });
    expect(starts.map((start) => start.toISOString())).toEqual([
      '2026-10-23T07:00:00.000Z',
      '2026-10-24T07:00:00.000Z',
      '2026-10-25T08:00:00.000Z',
      '2026-10-26T08:00:00.000Z',
    ]);
  });

  it("keeps the local time when New York's clocks go forward in March", () => {
    const rule = pattern({
      frequency: 'weekly',
      first: at('2026-03-02T09:00', 'America/New_York'),
      timezone: 'America/New_York',
      lastDay: '2026-03-16',
    });
    expect(findStarts(rule, { until: LATER, max: 100 }).starts.map((start) => start.toISOString())).toEqual([
      '2026-03-02T14:00:00.000Z',
      '2026-03-09T13:00:00.000Z',
      '2026-03-16T13:00:00.000Z',
    ]);
  });

  it('skips months without the day', () => {
    const rule = pattern({ frequency: 'monthly', first: at('2027-01-31T09:00'), lastDay: '2027-07-31' });
    expect(findStarts(rule, { until: LATER, max: 100 }).starts.map((start) => wall(start))).toEqual([
      '2027-01-31T09:00',
      '2027-03-31T09:00',
      '2027-05-31T09:00',
      '2027-07-31T09:00',
    ]);
  });

  it('includes the last day in the zone of the meeting, not in UTC', () => {
    const rule = pattern({ first: at('2026-11-20T23:30'), lastDay: '2026-11-21' });
    expect(findStarts(rule, { until: LATER, max: 100 })).toEqual({
      starts: [at('2026-11-20T23:30'), at('2026-11-21T23:30')],
      complete: true,
    });
  });

  it('continues after a batch and reports the end of the series', () => {
    const rule = pattern({ lastDay: '2026-10-27' });
    const first = findStarts(rule, { until: LATER, max: 3 });
    expect(first).toMatchObject({ complete: false, starts: { length: 3 } });
    const rest = findStarts(rule, { after: first.starts.at(-1), until: LATER, max: 3 });
    expect(rest.starts.map((start) => wall(start))).toEqual(['2026-10-26T09:00', '2026-10-27T09:00']);
    expect(rest.complete).toBe(true);
  });
});

const RFC_EXAMPLES: [name: string, rule: Partial<Pattern>, day: string, days: string][] = [
  ['every other day', { interval: 2 }, '1997-09-02', '09-02 09-04 09-06 09-08'],
  [
    'every other week on Monday, Wednesday, and Friday',
    { frequency: 'weekly', interval: 2, weekdays: ['mon', 'wed', 'fri'] },
    '1997-09-01',
    '09-01 09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03 10-13',
  ],
  [
    'weekly on Tuesday and Thursday',
    { frequency: 'weekly', weekdays: ['tue', 'thu'] },
    '1997-09-02',
    '09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02',
  ],
  [
    'monthly on the first Friday',
    { frequency: 'monthly', monthlyOn: 'weekday' },
    '1997-09-05',
    '09-05 10-03 11-07 12-05 01-02 02-06 03-06 04-03 05-01 06-05',
  ],
  ['monthly on the last day', { frequency: 'monthly', monthlyOn: 'lastDay' }, '1997-09-30', '09-30 10-31 11-30 12-31'],
];

describe('findStarts for the examples of RFC 5545, section 3.8.5.3', () => {
  const timezone = 'America/New_York';
  it.each(RFC_EXAMPLES)('returns the listed days: %s', (_name, rule, day, days) => {
    const first = at(`${day}T09:00`, timezone);
    const expectedStarts = days.split(' ').map((monthAndDay) => `${monthAndDay}T09:00`);
    const { starts } = findStarts(pattern({ ...rule, first, timezone }), { until: LATER, max: expectedStarts.length });
    expect(starts.map((start) => wall(start, timezone).slice(5))).toEqual(expectedStarts);
  });
});

const DAY_MS = 86_400_000;

/** Finds starts day by day, without the library. */
function findStartsByDay(rule: Pattern, count: number): string[] {
  const first = Temporal.Instant.fromEpochMilliseconds(rule.first.getTime()).toZonedDateTimeISO(rule.timezone);
  const starts = [rule.first.toISOString()];
  const from = new Date(`${first.toPlainDate()}T00:00:00Z`);
  for (let days = 1; starts.length < count; days += 1) {
    const day = new Date(from.getTime() + days * DAY_MS);
    if (!isDayOfRule(rule, from, day)) continue;
    const local = Temporal.PlainDate.from(day.toISOString().slice(0, 10)).toPlainDateTime(first.toPlainTime());
    const zoned = local.toZonedDateTime(rule.timezone);
    if (zoned.toPlainDateTime().equals(local)) starts.push(new Date(zoned.epochMilliseconds).toISOString());
  }
  return starts;
}

function isDayOfRule({ frequency, interval, weekdays, monthlyOn }: Pattern, from: Date, day: Date): boolean {
  const days = (day.getTime() - from.getTime()) / DAY_MS;
  const getWeekdayIndex = (date: Date) => (date.getUTCDay() + 6) % 7;
  const firstWeekday = getWeekdayIndex(from);
  const weekday = getWeekdayIndex(day);
  if (frequency === 'daily') return days % interval === 0;
  if (frequency === 'weekly') {
    const selectedDays = weekdays.length === 0 ? [firstWeekday] : weekdays.map((name) => WEEKDAYS.indexOf(name));
    return Math.floor((days + firstWeekday) / 7) % interval === 0 && selectedDays.includes(weekday);
  }
  const months = (day.getUTCFullYear() - from.getUTCFullYear()) * 12 + day.getUTCMonth() - from.getUTCMonth();
  if (months % interval !== 0) return false;
  const lastDate = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const date = day.getUTCDate();
  const firstDate = from.getUTCDate();
  if (monthlyOn === 'date') return date === firstDate;
  if (monthlyOn === 'lastDay') return date === lastDate;
  if (weekday !== firstWeekday) return false;
  return monthlyOn === 'lastWeekday' ? date > lastDate - 7 : Math.ceil(date / 7) === Math.ceil(firstDate / 7);
}

const anyRule = fc
  .record({
    frequency: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
    minutes: fc.integer({ min: 0, max: 60 * 24 * 365 * 8 }),
    interval: fc.integer({ min: 1, max: 4 }),
    weekdays: fc.subarray([...WEEKDAYS]),
    monthlyOn: fc.constantFrom('date' as const, 'lastDay' as const, 'weekday' as const, 'lastWeekday' as const),
  })
  .map(({ minutes, ...rule }): Pattern => {
    const first = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000);
    return { ...rule, first, lastDay: null };
  })
  .filter((rule) => {
    const day = localDay(rule.first, rule.timezone);
    const isFifth = rule.monthlyOn === 'weekday' && Number(day.slice(8)) > 28;
    return !isFifth && startError(rule, day) === undefined;
  });

/** Returns the starts that a calendar client derives from an invitation. It shifts times that clocks skip. */
function findStartsInCalendar({ first, timezone, lastDay, ...rule }: Pattern, count: number): string[] {
  const startTime = first.toISOString();
  const endTime = new Date(first.getTime() + 1_800_000).toISOString();
  const text = writeCalendar({
    stamp: '2024-01-01T00:00:00.000Z',
    events: [
      {
        ...{ calendarObjectId: 'a'.repeat(24), sequence: 0, title: '', description: '', location: '', meetingLink: '' },
        ...{ startTime, endTime, timezone, organizer: null, attendees: [] },
        recurrence: { ...rule, until: lastDay },
      },
    ],
  });
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const component = calendar.getFirstSubcomponent('vevent');
  if (!component) throw new Error('Calendar contains no event');
  const iterator = new ICAL.Event(component).iterator();
  return Array.from({ length: count }, () => iterator.next()?.toJSDate().toISOString() ?? '');
}

describe('findStarts for random rules', () => {
  it('returns the same starts as counting local days', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const { starts } = findStarts(rule, { until: new Date('2099-01-01'), max: 30 });
        expect(starts.map((start) => start.toISOString())).toEqual(findStartsByDay(rule, 30));
      }),
      { numRuns: 100 },
    );
  });

  it('returns the same starts as the iCalendar form of a rule', () => {
    // Clocks skip no time between 6 AM and 8 PM.
    const daytimeRule = anyRule.filter(({ first, timezone }) => /T(0[6-9]|1)/.test(wall(first, timezone)));
    fc.assert(
      fc.property(daytimeRule, (rule) => {
        const { starts } = findStarts(rule, { until: new Date('2099-01-01'), max: 15 });
        expect(findStartsInCalendar(rule, 15)).toEqual(starts.map((start) => start.toISOString()));
      }),
      { numRuns: 60 },
    );
  });

  it('continues with the same starts after any batch', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 8 }), (rule, index) => {
        const { starts } = findStarts(rule, { until: new Date('2099-01-01'), max: 12 });
        const rest = findStarts(rule, { after: starts[index], until: new Date('2099-01-01'), max: 3 });
        expect(rest.starts).toEqual(starts.slice(index + 1, index + 4));
      }),
      { numRuns: 50 },
    );
  });

  it('returns every start even if most periods have none', () => {
    const leapDayRule = pattern({
      frequency: 'monthly',
      interval: 12,
      first: at('2028-02-29T09:00'),
      lastDay: '2200-01-01',
    });
    const { starts, complete } = findStarts(leapDayRule, { until: new Date('9999-12-31'), max: 40 });
    expect(complete).toBe(false);
    expect(starts).toHaveLength(40);
  });

  it('starts in the second of two repeated hours if the rule does, and continues at the same local time', () => {
    const rule = pattern({ first: new Date('2030-10-27T01:00:00Z'), timezone: 'Europe/Berlin' });
    const { starts } = findStarts(rule, { until: LATER, max: 2 });
    expect(starts.map((start) => start.toISOString())).toEqual([
      '2030-10-27T01:00:00.000Z',
      '2030-10-28T01:00:00.000Z',
    ]);
  });

  it('returns starts with strictly increasing positions', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const { starts } = findStarts(rule, { until: new Date('2099-01-01'), max: 40 });
        const positions = starts.map((start) => getPosition(rule, start));
        if (rule.frequency !== 'weekly' || rule.weekdays.length === 0) expect(positions[0]).toBe(0);
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      }),
      { numRuns: 100 },
    );
  });
});

describe('moveFirst for a series that moves with one of its meetings', () => {
  it('shifts the first start by the same number of days, to the same time of day', () => {
    const first = moveFirst(pattern({}), {
      from: at('2026-10-30T09:00'),
      to: at('2026-10-31T11:30'),
      newTimezone: 'Europe/Berlin',
      newRule: pattern({}),
    });
    expect(first.toString()).toBe('2026-10-24T11:30:00');
  });

  it('uses the time of day in the new zone', () => {
    const to = at('2026-10-30T09:00', 'America/New_York');
    const move = { from: at('2026-10-30T09:00'), to, newTimezone: 'America/New_York', newRule: pattern({}) };
    const first = moveFirst(pattern({}), move);
    expect(first.toString()).toBe('2026-10-23T09:00:00');
  });
});

function startAfterMove(series: Pattern, { from, to }: { from: string; to: string }): string | undefined {
  const { timezone } = series;
  const anchor = at(to, timezone);
  const first = moveFirst(series, { from: at(from, timezone), to: anchor, newTimezone: timezone, newRule: series });
  const start = alignFirst(series, { first, anchor });
  return start && wall(start, timezone);
}

describe('a series on several weekdays that moves to others with one of its meetings', () => {
  it.each([
    [1, ['mon', 'fri'], ['mon', 'wed'], '2026-10-30', '2026-11-02', '2026-10-21'],
    [1, ['mon', 'wed'], ['mon', 'fri'], '2026-11-02', '2026-10-30', '2026-10-16'],
    [2, ['mon', 'fri'], ['tue', 'wed'], '2026-11-20', '2026-11-24', '2026-10-14'],
    [1, ['mon', 'fri'], ['mon', 'wed', 'fri'], '2026-10-30', '2026-11-02', '2026-10-23'],
  ] as const)(
    'keeps the number of meetings before the moved one: every %d weeks, %j, %j',
    (interval, oldWeekdays, newWeekdays, from, to, start) => {
      const series = pattern({
        frequency: 'weekly',
        interval,
        weekdays: [...oldWeekdays],
        first: at('2026-10-19T09:00'),
      });
      const newRule = { ...series, weekdays: [...newWeekdays] };
      const move = { from: at(`${from}T09:00`), to: at(`${to}T10:00`), newTimezone: 'Europe/Berlin', newRule };
      const first = alignFirst(newRule, { first: moveFirst(series, move), anchor: move.to });
      expect(first && wall(first)).toBe(`${start}T10:00`);
    },
  );
});

describe('a monthly series that moves with one of its meetings', () => {
  const moves: [rule: Partial<Pattern>, days: [string, string, string], start: string][] = [
    [{ monthlyOn: 'lastWeekday' }, ['2026-07-31', '2026-10-30', '2026-10-31'], '2026-07-25T10:00'],
    [{ monthlyOn: 'weekday' }, ['2026-05-15', '2026-10-16', '2026-10-15'], '2026-05-21T10:00'],
    [{}, ['2027-01-28', '2027-02-28', '2027-03-01'], '2027-02-01T10:00'],
    [{}, ['2026-09-30', '2026-10-30', '2026-10-31'], '2026-10-31T10:00'],
    [{ interval: 2 }, ['2027-04-30', '2027-08-30', '2027-08-31'], '2027-08-31T10:00'],
  ];
  it.each(moves)('with %j starts in step with the moved meeting: %j', (rule, [first, from, to], start) => {
    const series = pattern({ frequency: 'monthly', ...rule, first: at(`${first}T09:00`) });
    expect(startAfterMove(series, { from: `${from}T09:00`, to: `${to}T10:00` })).toBe(start);
  });
});

describe('a series that moves to a time that the clocks skip on the day of its first meeting', () => {
  it('keeps the time of a daily series and starts a day later', () => {
    // At half past two on March 28, 2027, Berlin's clocks go forward.
    const series = pattern({ first: at('2027-03-28T09:00') });
    expect(startAfterMove(series, { from: '2027-03-30T09:00', to: '2027-03-30T02:30' })).toBe('2027-03-29T02:30');
  });

  it('keeps the time of a monthly series even if the clocks skip it on the first of the month', () => {
    // On October 1, 2028, Sydney's clocks go forward.
    const timezone = 'Australia/Sydney';
    const series = pattern({ frequency: 'monthly', timezone, first: at('2028-10-15T09:00', timezone) });
    expect(startAfterMove(series, { from: '2028-11-15T09:00', to: '2028-11-15T02:30' })).toBe('2028-10-15T02:30');
  });
});

describe('alignFirst', () => {
  const startOf = (rule: Partial<Pattern>, [first, anchor]: [string, string]) => {
    const series = pattern(rule);
    const start = alignFirst(series, { first: localTime(at(first), series.timezone), anchor: at(anchor) });
    return start && wall(start);
  };
  const everyOtherWeek = { frequency: 'weekly', interval: 2 } as const;

  // 2026-10-23 is a Friday.
  const starts: [rule: Partial<Pattern>, days: [string, string], start: string][] = [
    [{ ...everyOtherWeek, weekdays: ['mon', 'wed'] }, ['2026-10-23', '2026-11-02'], '2026-11-02'],
    [{ ...everyOtherWeek, weekdays: ['mon'] }, ['2026-10-23', '2026-11-06'], '2026-11-02'],
    [{ ...everyOtherWeek, weekdays: ['thu'] }, ['2026-10-23', '2026-10-23'], '2026-11-05'],
    [{ interval: 3 }, ['2026-10-23', '2026-10-30'], '2026-10-24'],
    [{ frequency: 'monthly', interval: 3, monthlyOn: 'lastDay' }, ['2026-10-23', '2027-02-15'], '2026-11-30'],
  ];
  it.each(starts)('returns a start of %j in step with the edited meeting: %j', (rule, [first, anchor], start) => {
    expect(startOf(rule, [`${first}T09:00`, `${anchor}T09:00`])).toBe(`${start}T09:00`);
  });

  it('returns the given start of any rule, in step with the edited meeting', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }), (rule, a, b) => {
        const { starts: firstStarts } = findStarts(rule, { until: new Date('2099-01-01'), max: 13 });
        const pivot = firstStarts[Math.min(a, b)];
        const anchor = firstStarts[Math.max(a, b)];
        if (!pivot || !anchor) throw new Error('Rule has too few starts');
        expect(alignFirst(rule, { first: localTime(pivot, rule.timezone), anchor })).toEqual(pivot);
      }),
      { numRuns: 100 },
    );
  });

  it('skips a day on which the clocks skip the time', () => {
    const saturday = '2027-03-27T02:30';
    expect(startOf({ frequency: 'weekly', weekdays: ['sun'] }, [saturday, saturday])).toBe('2027-04-04T02:30');
  });

  it('returns undefined if the clocks skip the time on every date', () => {
    const rule = { frequency: 'monthly', interval: 12, monthlyOn: 'lastWeekday' } as const;
    expect(startOf(rule, ['2027-03-21T02:30', '2027-03-21T02:30'])).toBeUndefined();
  });
});

describe('localDay', () => {
  it('returns the day in the zone, and the day before with an offset', () => {
    expect(localDay(new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin')).toBe('2026-11-21');
    expect(localDay(new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin', -1)).toBe('2026-11-20');
  });
});

describe('dayRange', () => {
  it('spans 25 hours when the clocks go back', () => {
    const { from, to } = dayRange(at('2026-10-25T12:00'), 'Europe/Berlin');
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(25);
  });
});
