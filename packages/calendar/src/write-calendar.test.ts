import { DEFAULT_RECURRENCE, type SeriesRule } from '@atrium/proto-events/recurrence/rule';
import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { type Calendar, type CalendarEvent, writeCalendar } from './write-calendar.ts';

const meeting: CalendarEvent = {
  calendarObjectId: 'a'.repeat(24),
  sequence: 2,
  title: 'Planning; with, commas\nand a line',
  description: 'Bring numbers',
  location: 'Room 4',
  meetingLink: 'https://meet.example.org/abc',
  startTime: '2027-03-22T08:00:00.000Z',
  endTime: '2027-03-22T09:00:00.000Z',
  timezone: 'Europe/Berlin',
  organizer: { name: 'Paul Manager', address: 'paul@example.org' },
  sentBy: 'no-reply@atrium.example.org',
  attendees: [
    { name: 'Mia "The" Member', address: 'mia@example.org', status: 'pending' },
    { name: 'Ada Accepting', address: 'ada@example.org', status: 'accepted' },
  ],
};

const repeating = (overrides: Partial<SeriesRule> = {}): SeriesRule => ({
  ...DEFAULT_RECURRENCE,
  frequency: 'weekly',
  until: null,
  ...overrides,
});

const write = (eventOverrides: Partial<CalendarEvent> = {}, calendarOverrides: Partial<Calendar> = {}) =>
  writeCalendar({
    method: 'REQUEST',
    stamp: '2026-11-01T08:00:00.000Z',
    events: [{ ...meeting, ...eventOverrides }],
    ...calendarOverrides,
  });

function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const zone = calendar.getFirstSubcomponent('vtimezone');
  if (zone) ICAL.TimezoneService.register(zone);
  const component = calendar.getFirstSubcomponent('vevent');
  if (!component) throw new Error('no event was written');
  return { calendar, component, event: new ICAL.Event(component) };
}

function firstStarts(text: string, count: number): string[] {
  const { event } = read(text);
  const iterator = event.iterator();
  const starts: string[] = [];
  for (let next = iterator.next(); next && starts.length < count; next = iterator.next()) {
    starts.push(next.toJSDate().toISOString());
  }
  return starts;
}

describe('the lines of a calendar', () => {
  it.each([['a'], ['é'], ['漢'], ['😀'], ['a😀é漢']])('have at most 75 octets, even with long fields of %s', (text) => {
    const description = text.repeat(300);
    const written = write({ description, title: text.repeat(30), location: text.repeat(40) });
    const lines = written.split('\r\n');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    // A line that ends within a character contains a lone surrogate.
    expect(lines.every((line) => line.isWellFormed())).toBe(true);
    expect(read(written).event.description).toContain(description);
  });
});

describe('writeCalendar', () => {
  it('writes an invitation that another library reads correctly', () => {
    const { calendar, event, component } = read(write());
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST');
    expect(event.uid).toBe(`${'a'.repeat(24)}@atrium`);
    expect(event.sequence).toBe(2);
    expect(event.summary).toBe('Planning; with, commas\nand a line');
    expect(event.startDate.toJSDate().toISOString()).toBe(meeting.startTime);
    expect(event.endDate.toJSDate().toISOString()).toBe(meeting.endTime);
    expect(event.startDate.toString()).toBe('2027-03-22T09:00:00');
    expect(component.getFirstPropertyValue('status')).toBe('CONFIRMED');
    const organizer = component.getFirstProperty('organizer');
    expect(organizer?.getFirstValue()).toBe('mailto:paul@example.org');
    expect(organizer?.getParameter('sent-by')).toBe('mailto:no-reply@atrium.example.org');
  });

  it.each([
    ['用户@example.org', 'mailto:%E7%94%A8%E6%88%B7@example.org'],
    ['a%b#c?d+e@example.org', 'mailto:a%25b%23c%3Fd+e@example.org'],
  ])('writes the address %s as the URI %s', (address, uri) => {
    const attendees = [{ name: 'Mia', address, status: 'pending' as const }];
    const [attendee] = read(write({ attendees })).component.getAllProperties('attendee');
    expect(attendee?.getFirstValue()).toBe(uri);
  });

  it('requests responses only from pending attendees', () => {
    const attendees = read(write()).component.getAllProperties('attendee');
    const properties = attendees.map((attendee) => [
      attendee.getFirstValue(),
      attendee.getParameter('partstat'),
      attendee.getParameter('rsvp'),
    ]);
    expect(properties).toEqual([
      ['mailto:mia@example.org', 'NEEDS-ACTION', 'TRUE'],
      ['mailto:ada@example.org', 'ACCEPTED', 'FALSE'],
    ]);
  });

  it('keeps the local time of a weekly series across time changes, up to the last day', () => {
    const text = write({ recurrence: repeating({ until: '2027-04-05' }) });
    expect(firstStarts(text, 9)).toEqual([
      '2027-03-22T08:00:00.000Z',
      '2027-03-29T07:00:00.000Z',
      '2027-04-05T07:00:00.000Z',
    ]);
  });

  it('repeats indefinitely without an end', () => {
    const text = write({ timezone: 'UTC', recurrence: repeating({ frequency: 'daily' }) });
    expect(text).not.toContain('VTIMEZONE');
    expect(firstStarts(text, 3)).toEqual([
      '2027-03-22T08:00:00.000Z',
      '2027-03-23T08:00:00.000Z',
      '2027-03-24T08:00:00.000Z',
    ]);
  });

  const rules: [fields: Partial<SeriesRule>, rule: string, days: [string, string, string]][] = [
    [{ frequency: 'daily', interval: 3 }, 'FREQ=DAILY;INTERVAL=3', ['22', '25', '28']],
    [{ weekdays: ['mon', 'thu'] }, 'FREQ=WEEKLY;BYDAY=MO,TH', ['22', '25', '29']],
    [{ interval: 2, weekdays: ['mon', 'tue'] }, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU', ['22', '23', '05']],
    [{ frequency: 'monthly' }, 'FREQ=MONTHLY', ['22', '22', '22']],
    [{ frequency: 'monthly', monthlyOn: 'weekday' }, 'FREQ=MONTHLY;BYDAY=4MO', ['22', '26', '24']],
    [{ frequency: 'monthly', monthlyOn: 'lastWeekday' }, 'FREQ=MONTHLY;BYDAY=-1MO', ['29', '26', '31']],
    [{ frequency: 'monthly', monthlyOn: 'lastDay' }, 'FREQ=MONTHLY;BYMONTHDAY=-1', ['31', '30', '31']],
  ];
  it.each(rules)('writes the rule of %j as %s', (fields, rule, days) => {
    const startTime = `2027-03-${days[0]}T07:00:00.000Z`;
    const endTime = `2027-03-${days[0]}T08:00:00.000Z`;
    const text = write({ recurrence: repeating(fields), startTime, endTime });
    expect(text).toContain(`RRULE:${rule}\r\n`);
    expect(firstStarts(text, 3).map((start) => start.slice(8, 10))).toEqual(days);
  });

  it('excludes individually canceled occurrences', () => {
    const text = write({
      recurrence: repeating({ until: '2027-04-05' }),
      excludedStarts: ['2027-03-29T07:00:00.000Z'],
    });
    expect(firstStarts(text, 9)).toEqual(['2027-03-22T08:00:00.000Z', '2027-04-05T07:00:00.000Z']);
  });

  it('identifies an occurrence by its original start', () => {
    const { event } = read(write({ recurrenceId: '2027-03-29T07:00:00.000Z' }));
    expect(event.recurrenceId.toJSDate().toISOString()).toBe('2027-03-29T07:00:00.000Z');
  });

  it('writes a cancellation', () => {
    const { calendar, component } = read(write({}, { method: 'CANCEL' }));
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL');
    expect(component.getFirstPropertyValue('status')).toBe('CANCELLED');
  });

  it('writes DTSTAMP in UTC regardless of the zone of the meeting', () => {
    expect(write()).toContain('\r\nDTSTAMP:20261101T080000Z\r\n');
  });

  it('writes the modified occurrences of a series by their original start', () => {
    const recurrence = repeating({ until: '2027-04-05' });
    const moved = {
      ...meeting,
      title: 'Moved',
      recurrenceId: '2027-03-29T07:00:00.000Z',
      startTime: '2027-03-30T12:00:00.000Z',
      endTime: '2027-03-30T13:00:00.000Z',
    };
    const { calendar } = read(write({}, { events: [{ ...meeting, recurrence }, moved] }));
    const [master, ...exceptions] = calendar.getAllSubcomponents('vevent');
    if (!master) throw new Error('no event was written');
    const event = new ICAL.Event(master, { exceptions: exceptions.map((exception) => new ICAL.Event(exception)) });
    const iterator = event.iterator();
    const shownEvents = [iterator.next(), iterator.next(), iterator.next()].map((at) => {
      if (!at) throw new Error('the series ends early');
      const { item, startDate } = event.getOccurrenceDetails(at);
      return [item.summary, startDate.toJSDate().toISOString()];
    });
    expect(shownEvents).toEqual([
      [meeting.title, meeting.startTime],
      ['Moved', '2027-03-30T12:00:00.000Z'],
      [meeting.title, '2027-04-05T07:00:00.000Z'],
    ]);
    expect(iterator.next()).toBeFalsy();
  });

  it('distinguishes the first and the second of two equal local times', () => {
    // 2:30 occurs twice in Berlin on October 31, 2027.
    const first = read(write({ startTime: '2027-10-31T00:30:00.000Z', endTime: '2027-10-31T02:30:00.000Z' })).event;
    expect(first.startDate.toJSDate().toISOString()).toBe('2027-10-31T00:30:00.000Z');
    const second = read(write({ startTime: '2027-10-31T01:30:00.000Z', endTime: '2027-10-31T02:30:00.000Z' })).event;
    expect(second.startDate.toJSDate().toISOString()).toBe('2027-10-31T01:30:00.000Z');
  });

  it('keeps the duration of a series whose first occurrence ends in the second of two equal local times', () => {
    for (const [timezone, startTime, endTime, line] of [
      [
        'Europe/Berlin',
        '2027-10-31T00:30:00.000Z',
        '2027-10-31T01:30:00.000Z',
        'DTSTART;TZID=Europe/Berlin:20271031T023000',
      ],
      [
        'America/New_York',
        '2027-11-07T05:30:00.000Z',
        '2027-11-07T06:30:00.000Z',
        'DTSTART;TZID=America/New_York:20271107T013000',
      ],
    ] as const) {
      const text = write({ timezone, startTime, endTime, recurrence: repeating() });
      expect(text).toContain(line);
      expect(read(text).event.duration.toSeconds()).toBe(3_600);
    }
  });

  it.each(['\r\n', '\r', '\n', '\v', '\u0085'])('lets no user text start a new line with %j', (ending) => {
    const injection = `x${ending}ATTENDEE:mailto:eve@example.org`;
    const text = write({
      title: injection,
      description: injection,
      location: injection,
      meetingLink: `https://meet.example.org/${ending}ATTENDEE:mailto:eve@example.org`,
      organizer: { name: injection, address: 'paul@example.org' },
      attendees: [{ name: injection, address: 'mia@example.org', status: 'pending' }],
    });
    expect(read(text).component.getAllProperties('attendee')).toHaveLength(1);
    expect(text.split(/\r\n|[\r\n\v\u0085]/).filter((line) => line.startsWith('ATTENDEE:mailto:eve'))).toEqual([]);
  });
});
