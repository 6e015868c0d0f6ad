import { describe, expect, it } from '@jest/globals';
import { timezone } from '../src/fields.ts';
import { createMeetingBody, updateMeetingBody } from '../src/http/meetings/meeting-fields.ts';
import { listMeetings } from '../src/http/meetings/meetings.ts';
import { sentences } from './sentences.ts';

const meeting = {
  title: 'Standup',
  type: 'standup',
  startTime: '2027-03-01T09:00:00+01:00',
  endTime: '2027-03-01T09:30:00+01:00',
  meetingLink: 'https://meet.example.org/x',
  participants: ['a'.repeat(24)],
};
const listErrors = (overrides: object) => sentences(createMeetingBody, { ...meeting, ...overrides });

describe('a new meeting', () => {
  it('reports every missing field', () => {
    expect(sentences(createMeetingBody, {})).toEqual([
      'Meeting title is required',
      'Meeting type is required',
      'Start time is required',
      'End time is required',
      'Meeting link is required',
      'At least one participant is required',
    ]);
    expect(listErrors({ participants: [] })).toEqual(['At least one participant is required']);
  });

  it('must be in the years 0001 to 9999, in UTC', () => {
    for (const startTime of ['0000-01-01T00:00:00Z', '2027-02-30T09:00:00Z', 'soon', '', 5]) {
      expect([startTime, listErrors({ startTime })]).toEqual([startTime, ['Start time is required']]);
    }
    expect(listErrors({ endTime: '9999-12-31T23:59:59-10:00' })).toEqual(['End time is required']);
    expect(listErrors({ startTime: '9999-12-31T23:00:00Z', endTime: '9999-12-31T23:59:59Z' })).toEqual([]);
    for (const side of ['from', 'to']) {
      expect(sentences(listMeetings.query, { [side]: '0000-01-01T00:00:00Z' })).toEqual(['Invalid date']);
      expect(sentences(listMeetings.query, { [side]: '2027-01-01T00:00:00+02:00' })).toEqual([]);
    }
  });

  it('must end after it starts, regardless of their zones', () => {
    const expected = ['End time must be after start time'];
    expect(listErrors({ endTime: meeting.startTime })).toEqual(expected);
    expect(listErrors({ endTime: '2027-03-01T07:59:00Z' })).toEqual(expected);
    expect(listErrors({ endTime: '2027-03-01T08:01:00Z' })).toEqual([]);
    const change = { startTime: meeting.endTime, endTime: meeting.startTime };
    expect(sentences(updateMeetingBody, change)).toEqual(expected);
  });

  it('has one of six types', () => {
    for (const type of ['team-meeting', 'one-on-one', 'project-review', 'standup', 'retrospective', 'other']) {
      expect(listErrors({ type })).toEqual([]);
    }
    expect(listErrors({ type: 'party' })).toEqual(['Meeting type is required']);
  });

  it('has a link that a browser can open', () => {
    for (const link of ['http://a.example.org', 'https://a.example.org/b?c=d#e'])
      expect(listErrors({ meetingLink: link })).toEqual([]);
    for (const link of ['meet', 'javascript:alert(1)', 'ftp://a.example.org', 'data:text/html,x', 'https://']) {
      expect([link, listErrors({ meetingLink: link })]).toEqual([link, ['Please enter a valid URL']]);
    }
  });

  it('requires a frequency if it is recurring', () => {
    expect(listErrors({ isRecurring: true })).toEqual(['Frequency is required for recurring meetings']);
    expect(listErrors({ isRecurring: true, recurringFrequency: 'yearly' })).toContain(
      'Frequency is required for recurring meetings',
    );
    for (const recurringFrequency of ['daily', 'weekly', 'monthly']) {
      expect(listErrors({ isRecurring: true, recurringFrequency })).toEqual([]);
    }
  });
});

describe('a change to a meeting', () => {
  it('needs no participants and limits notes and summary', () => {
    expect(sentences(updateMeetingBody, { participants: [] })).toEqual([]);
    expect(sentences(updateMeetingBody, { notes: 'n'.repeat(2000), summary: 's'.repeat(3000) })).toEqual([]);
    expect(sentences(updateMeetingBody, { notes: 'n'.repeat(2001), summary: 's'.repeat(3001) })).toEqual([
      'Notes must be at most 2000 characters',
      'Summary must be at most 3000 characters',
    ]);
  });
});

it('timezone accepts only known time zones', () => {
  const names = [
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Calcutta',
  ];
  for (const zone of [...names, 'Asia/Kolkata', 'US/Pacific', 'Etc/GMT+5', ...Intl.supportedValuesOf('timeZone')])
    expect([zone, sentences(timezone, zone)]).toEqual([zone, []]);
  const offsets = ['+01:00', '-0800', '+01', 'UTC+1', 'GMT+1'];
  for (const zone of ['Europe/Atlantis', '', 'Berlin', 'europe/berlin', 'utc', 'EUROPE/KYIV', 'PST', ...offsets])
    expect([zone, sentences(timezone, zone)]).toEqual([zone, ['Unknown time zone']]);
});
