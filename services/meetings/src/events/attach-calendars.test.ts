import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence/rule';
import { MAX_EVENT_BYTES } from '@atrium/service-kit/messaging/outbox';
import { expect, it } from '@jest/globals';
import { splitCalendars } from './attach-calendars.ts';

const TIME = '2030-10-14T07:00:00.000Z';
const userIds = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(24, '0'));
const longestText = '\u0001'.repeat(5_000);
const texts = {
  title: '\u0001'.repeat(200),
  description: longestText,
  agenda: longestText,
  location: longestText,
  meetingLink: longestText,
};

/** Every occurrence differs in everything, at the limits of the contract. */
const largestCalendar: CalendarObject = {
  timezone: 'UTC',
  master: {
    ...{ ...texts, startTime: TIME, endTime: TIME, timezone: 'UTC', participantIds: userIds, answers: [] },
    recurrence: { ...DEFAULT_RECURRENCE, frequency: 'daily', until: null },
    excludedStarts: Array.from({ length: 30_000 }, () => TIME),
  },
  occurrences: Array.from({ length: 100 }, () => ({
    ...{ ...texts, meetingId: 'a'.repeat(24), recurrenceId: TIME, startTime: TIME, endTime: TIME },
    participantIds: userIds,
    answers: userIds.map((userId) => ({ userId, status: 'declined' as const })),
  })),
};

it('splitCalendars splits the calendars of the largest series into parts that a message can carry, without losing anything', () => {
  const parts = splitCalendars({ calendar: largestCalendar, calendarBefore: largestCalendar });
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(MAX_EVENT_BYTES);
  for (const side of ['calendar', 'calendarBefore']) {
    const sideParts = parts.filter(({ of }) => of === side);
    expect(sideParts.flatMap(({ occurrences }) => occurrences)).toEqual(largestCalendar.occurrences);
    expect(sideParts.flatMap(({ excludedStarts }) => excludedStarts)).toEqual(largestCalendar.master?.excludedStarts);
  }
});
