import { describe, expect, it } from '@jest/globals';
import { readReplies, withReplyAddress } from './calendar-reply.ts';
import { writeCalendar } from './write-calendar.ts';

const ID = 'abababababababababababab';

const reply = (lines: readonly string[], method = 'REPLY') =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${ID}@atrium`,
  'DTSTAMP:20261120T093000Z',
  ...lines,
  'END:VEVENT',
];
const MIA = 'ATTENDEE;CN="Mia, Member";PARTSTAT=ACCEPTED:MAILTO:Mia@Example.org';

describe('readReplies', () => {
  it('reads a reply from Google', () => {
    const lines = event(
      'DTSTART:20270322T080000Z',
      'SEQUENCE:2',
      MIA,
      'RECURRENCE-ID;TZID=Europe/Berlin:20270329T090000',
    );
    expect(readReplies(reply(lines))).toEqual([
      {
        calendarId: ID,
        recurrenceId: '2027-03-29T07:00:00.000Z',
        attendee: 'mia@example.org',
        status: 'accepted',
        sequence: 2,
        startTime: '2027-03-22T08:00:00.000Z',
        stamp: '2026-11-20T09:30:00.000Z',
      },
    ]);
  });

  it('reads a reply from Outlook, with a custom time zone', () => {
    const zoneLines = [
      ...['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'BEGIN:STANDARD', 'DTSTART:16010101T030000'],
      ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
      ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
      ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
    ];
    const lines = event('DTSTART;TZID=W. Europe Standard Time:20270622T090000', MIA);
    expect(readReplies(reply([...zoneLines, ...lines]))).toMatchObject([
      { startTime: '2027-06-22T07:00:00.000Z', sequence: null },
    ]);
  });

  it.each([
    ['mailto:mia@bücher.example', 'mia@xn--bcher-kva.example'],
    ['mailto:mia@b%C3%BCcher.example', 'mia@xn--bcher-kva.example'],
    ['mailto:%E7%94%A8%E6%88%B7@example.org', '用户@example.org'],
    ['mailto:tom%26jerry@example.org', 'tom&jerry@example.org'],
    ['mailto:ΟΔΟΣ@example.org', 'οδος@example.org'],
  ])('reads a reply from %s as %s', (uri, attendee) => {
    expect(readReplies(reply(event(`ATTENDEE;PARTSTAT=ACCEPTED:${uri}`)))).toMatchObject([{ attendee }]);
  });

  it('ignores a reply without an address', () => {
    expect(readReplies(reply(event('ATTENDEE;PARTSTAT=ACCEPTED:mailto:mia')))).toEqual([]);
  });

  it.each(['99999999999999999999', '2147483648', '-1'])('ignores an invalid SEQUENCE: %s', (sequence) => {
    expect(readReplies(reply(event(`SEQUENCE:${sequence}`, MIA)))).toMatchObject([{ sequence: null }]);
  });

  it.each([
    ['is not a reply', reply(event(MIA), 'REQUEST')],
    ['has a foreign UID', reply(event(MIA)).replace('@atrium', '@elsewhere')],
    ['neither accepts nor declines', reply(event(MIA.replace('ACCEPTED', 'DELEGATED')))],
    ['has no DTSTAMP', reply(event(MIA)).replace(/DTSTAMP.*\r\n/, '')],
    ['has a DTSTAMP in the year 0', reply(event(MIA)).replace('DTSTAMP:2026', 'DTSTAMP:0000')],
    ['has an occurrence in the year 0', reply(event(MIA, 'RECURRENCE-ID:00000329T090000Z'))],
    ['has an occurrence in an unknown time zone', reply(event(MIA, 'RECURRENCE-ID;TZID=Nowhere:20270329T090000'))],
    ['is not a calendar', 'BEGIN:VCALENDAR\r\nEND'],
    ['is empty', ''],
  ])('returns nothing if the input %s', (_reason, text) => {
    expect(readReplies(text)).toEqual([]);
  });
});

it('withReplyAddress changes the reply address and nothing else', () => {
  const organizer = { name: 'Paul, Manager', address: 'paul@example.org' };
  const details = {
    title: 'Plan',
    description: 'Über alles',
    location: '',
    meetingLink: '',
    timezone: 'Europe/Berlin',
  };
  const times = { startTime: '2027-03-22T08:00:00Z', endTime: '2027-03-22T09:00:00Z' };
  const attendees = [{ name: 'Mia', address: 'mia@example.org', status: 'pending' as const }];
  const meeting = {
    calendarObjectId: ID,
    sequence: 0,
    ...details,
    ...times,
    organizer,
    sentBy: 'no-reply@example.org',
    attendees,
  };
  const text = writeCalendar({ method: 'REQUEST', stamp: '2026-11-20T09:30:00Z', events: [meeting] });
  const address = `calendar+${'a'.repeat(46)}@example.org`;
  const expected = writeCalendar({
    method: 'REQUEST',
    stamp: '2026-11-20T09:30:00Z',
    events: [{ ...meeting, organizer: { ...organizer, address }, sentBy: undefined }],
  });
  expect(withReplyAddress(text, address)).toBe(expected);
});
