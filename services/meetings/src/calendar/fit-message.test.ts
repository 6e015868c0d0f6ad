import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { describe, expect, it } from '@jest/globals';
import { fitMessage } from './fit-message.ts';

const TIME = '2030-10-14T07:00:00.000Z';
const entry = {
  ...{ title: 'Plan', description: '', agenda: '', location: '', meetingLink: 'https://meet.example.org/' },
  ...{ startTime: TIME, endTime: TIME, timezone: 'UTC', answers: [] },
};
const people = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0'));

/** A daily series of which everybody has answered each meeting otherwise than most. */
const answered = (participantIds: string[], days: number): CalendarObject => ({
  timezone: 'UTC',
  master: { ...entry, participantIds, recurrence: { frequency: 'daily', until: null }, excluded: [] },
  occurrences: Array.from({ length: days }, () => ({
    meetingId: 'a'.repeat(24),
    recurrenceId: TIME,
    title: 'Another',
    answers: participantIds.map((userId) => ({ userId, status: 'declined' as const })),
  })),
});

describe('the calendars of an event', () => {
  it('are all told where a message has room for them', () => {
    const calendars = { calendar: answered(people(20), 100), calendarBefore: answered(people(20), 100) };
    expect(fitMessage(calendars)).toBe(calendars);
  });

  it('lose answers to single meetings first, and nothing else', () => {
    const { calendar, calendarBefore } = fitMessage({
      calendar: answered(people(500), 365),
      calendarBefore: answered(people(500), 365),
    });
    expect(calendar?.occurrences).toHaveLength(365);
    expect(calendar?.occurrences[0]).toEqual({ meetingId: 'a'.repeat(24), recurrenceId: TIME, title: 'Another' });
    expect(calendar?.master?.participantIds).toHaveLength(500);
    expect(calendarBefore?.occurrences).toHaveLength(365);
  });

  it('are left out as a whole where that is not enough, as by earlier releases', () => {
    const calendar = answered(people(20), 400);
    const long = calendar.occurrences.map((one) => ({ ...one, description: 'x'.repeat(5_000) }));
    expect(fitMessage({ calendar: { ...calendar, occurrences: long } })).toEqual({});
  });
});
