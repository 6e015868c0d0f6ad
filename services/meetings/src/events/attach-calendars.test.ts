import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence';
import { MAX_EVENT_BYTES } from '@atrium/service-kit/messaging/outbox';
import { expect, it } from '@jest/globals';
import { splitCalendars } from './attach-calendars.ts';

const TIME = '2030-10-14T07:00:00.000Z';
const people = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(24, '0'));
const longest = '\u0001'.repeat(5_000);
const texts = {
  title: '\u0001'.repeat(200),
  description: longest,
  agenda: longest,
  location: longest,
  meetingLink: longest,
};

/** Every occurrence differs in everything, at the limits of the contract. */
const largest: CalendarObject = {
  timezone: 'UTC',
  master: {
    ...{ ...texts, startTime: TIME, endTime: TIME, timezone: 'UTC', participantIds: people, answers: [] },
    recurrence: { ...DEFAULT_RECURRENCE, frequency: 'daily', until: null },
    excludedStarts: Array.from({ length: 30_000 }, () => TIME),
  },
  occurrences: Array.from({ length: 100 }, () => ({
    ...{ ...texts, meetingId: 'a'.repeat(24), recurrenceId: TIME, startTime: TIME, endTime: TIME },
    participantIds: people,
    answers: people.map((userId) => ({ userId, status: 'declined' as const })),
  })),
};

it('splits the calendars of the largest series into parts that a message can carry, without losing anything', () => {
  const parts = splitCalendars({ calendar: largest, calendarBefore: largest });
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(MAX_EVENT_BYTES);
  for (const side of ['calendar', 'calendarBefore']) {
    const own = parts.filter(({ of }) => of === side);
    expect(own.flatMap(({ occurrences }) => occurrences)).toEqual(largest.occurrences);
    expect(own.flatMap(({ excludedStarts }) => excludedStarts)).toEqual(largest.master?.excludedStarts);
  }
});
