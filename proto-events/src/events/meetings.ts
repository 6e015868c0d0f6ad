import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { seriesRule } from '../recurrence-schemas.ts';
import { calendarObject, calendarParts } from './meeting-calendar.ts';

/** All an invitation needs (RFC 5545): the UID is made from `calendarId`, the SEQUENCE is `sequence`. */
const facts = {
  meetingId: id,
  seriesId: id.nullable(),
  calendarId: z.string().describe('The series, or the meeting where it stands alone'),
  sequence: z.int(),
  /** For one occurrence of a series changed alone: its original start (RECURRENCE-ID). */
  recurrenceId: time.nullable(),
  title: z.string(),
  description: z.string(),
  agenda: z.string(),
  location: z.string(),
  meetingLink: z.string(),
  startTime: time,
  endTime: time,
  timezone: z.string(),
  recurrence: seriesRule
    .nullable()
    .describe('Set when the event is about the whole series; until is the last day in the zone'),
  organizerId: id,
  participantIds: z.array(id),
  version: z.int(),
  project: id
    .nullable()
    .optional()
    .describe('Of one meeting, `null`: none. Absent of a series, whose meetings may differ'),
};

const calendar = calendarObject.describe('As it is now');
const calendarBefore = calendarObject.describe('As it was before');

/**
 * Of a series that ends sooner than it did: whose dates from the start `from` on were `cancelled`, or take place without them, who were
 * `removed`. Absent where the dates go on for everybody, be it in another series.
 */
const truncatedFor = z
  .object({ from: time, as: z.enum(['cancelled', 'removed']), personIds: z.array(id).min(1) })
  .optional();

/**
 * Who was reminded of a start (`meetings.meeting.due`) that does not hold for them any more: it was moved or cancelled, or they are not
 * invited to it now, or decline it. Absent where there is nobody.
 */
const staleReminders = z.array(z.object({ meetingId: id, startTime: time, personIds: z.array(id).min(1) })).optional();

export const meetingScheduled = defineEvent(
  'meetings.meeting.scheduled',
  1,
  z.object({ ...facts, calendar, calendarParts }),
);

/**
 * `removedIds` get a cancellation; `rsvpReset` says that answers start over, since the time or the rhythm changed or a meeting became a series.
 */
export const meetingUpdated = defineEvent(
  'meetings.meeting.updated',
  1,
  z.object({
    ...facts,
    removedIds: z.array(id),
    addedIds: z.array(id),
    rsvpReset: z.boolean(),
    changed: z.array(z.string()),
    truncatedFor: truncatedFor,
    /** Set where the organizer left and another one took over. */
    previousOrganizerId: id.optional(),
    staleReminders: staleReminders,
    calendar,
    calendarBefore,
    calendarParts,
  }),
);

/** `isAlone`: of a series that is told of as a whole, one to which these people alone were invited; its organiser hears of the series. */
export const meetingCancelled = defineEvent(
  'meetings.meeting.cancelled',
  1,
  z.object({ ...facts, calendarBefore, isAlone: z.boolean().optional(), staleReminders: staleReminders }),
);

export const meetingResponded = defineEvent(
  'meetings.meeting.responded',
  1,
  z.object({
    meetingId: id,
    title: z.string(),
    userId: id,
    status: z.enum(['accepted', 'declined', 'tentative']),
    organizerId: id,
    participantIds: z.array(id),
    version: z.int(),
    staleReminders: staleReminders,
  }),
);

/**
 * Occurrences of a series changed together with one that another event names; for the browsers of users whom that event does not reach. A
 * change of many occurrences publishes several of these, each of bounded size. `changed` names the fields, if they are in no calendar.
 */
export const occurrencesChanged = defineEvent(
  'meetings.occurrences.changed',
  1,
  z.object({
    occurrences: z.array(z.object({ meetingId: id, userIds: z.array(id).min(1) })).min(1),
    changed: z.array(z.string()).optional(),
  }),
);

/**
 * A part of the calendars of an event that follows with the same `changeId` (see `calendarParts`): what would make that event larger than
 * a message may be. Parts are published before the event, under the same aggregate.
 */
export const calendarAttached = defineEvent(
  'meetings.calendar.attached',
  1,
  z.object({
    changeId: id,
    index: z.int().min(0),
    of: z.enum(['calendar', 'calendarBefore']),
    occurrences: calendarObject.shape.occurrences,
    excludedStarts: z.array(time),
  }),
);
