import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { seriesRule } from '../recurrence/schemas.ts';
import { calendarObject, calendarParts } from './meeting-calendar.ts';

/** The fields of an invitation (RFC 5545): its UID derives from `calendarId`, and its SEQUENCE is `sequence`. */
const meetingFields = {
  meetingId: id,
  seriesId: id.nullable(),
  calendarId: z
    .string()
    .describe('Id of the calendar object (RFC 4791): of the series, or of the meeting if it is not part of one'),
  sequence: z.int(),
  /** For a single occurrence of a series: its original start (RECURRENCE-ID). */
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
    .describe('Set if the event is about the whole series; until is the last day in the zone'),
  organizerId: id,
  participantIds: z.array(id),
  version: z.int(),
  project: id
    .nullable()
    .optional()
    .describe('Of a single meeting, `null` for none. Absent for a series, whose meetings may differ'),
};

const calendar = calendarObject.describe('After the change');
const calendarBefore = calendarObject.describe('Before the change');

/**
 * For a series that ends earlier: the users whose occurrences from the start `from` on were `cancelled`, or who were
 * `removed` from them. Absent if the occurrences continue for everyone, even in a different series.
 */
const truncatedFor = z
  .object({ from: time, as: z.enum(['cancelled', 'removed']), personIds: z.array(id).min(1) })
  .optional();

/**
 * Users who were reminded of a start (`meetings.meeting.due`) that no longer applies to them: the meeting was moved or
 * canceled, or they were removed or declined. Absent if there are none.
 */
const staleReminders = z.array(z.object({ meetingId: id, startTime: time, personIds: z.array(id).min(1) })).optional();

export const meetingScheduled = defineEvent(
  'meetings.meeting.scheduled',
  1,
  z.object({ ...meetingFields, calendar, calendarParts }),
);

/**
 * `removedIds` receive a cancellation; `rsvpReset` means that responses were reset because the time or the recurrence
 * changed, or a meeting became a series.
 */
export const meetingUpdated = defineEvent(
  'meetings.meeting.updated',
  1,
  z.object({
    ...meetingFields,
    removedIds: z.array(id),
    addedIds: z.array(id),
    rsvpReset: z.boolean(),
    changed: z.array(z.string()),
    truncatedFor,
    /** Set if the organizer left and another user took over. */
    previousOrganizerId: id.optional(),
    staleReminders,
    calendar,
    calendarBefore,
    calendarParts,
  }),
);

/**
 * `isAlone`: set for an occurrence whose guests were invited individually, not to the series. The organizer is notified
 * about the series instead.
 */
export const meetingCancelled = defineEvent(
  'meetings.meeting.cancelled',
  1,
  z.object({ ...meetingFields, calendarBefore, isAlone: z.boolean().optional(), staleReminders }),
);

export const meetingResponded = defineEvent(
  'meetings.meeting.responded',
  1,
  z.object({
    meetingId: id,
    seriesId: id.nullable().optional(),
    title: z.string(),
    userId: id,
    status: z.enum(['accepted', 'declined', 'tentative']),
    organizerId: id,
    participantIds: z.array(id),
    version: z.int(),
    staleReminders,
  }),
);

/**
 * Lists occurrences that changed together with the one of another event, for the browsers of users that the other event
 * does not reach. A change of many occurrences publishes several of these events, each of bounded size. `changed` names the
 * fields if calendars do not contain them.
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
 * A part of the calendars of a later event with the same `changeId` (see `calendarParts`), which would otherwise exceed
 * the maximum message size. Published before that event, with the same aggregate.
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

/**
 * `personIds` are reminded once for each start of the meeting. Users with different reminder settings are in separate
 * events. `calendarId` and `recurrenceId` are as in the events of meetings.
 */
export const meetingDue = defineEvent(
  'meetings.meeting.due',
  1,
  z.object({
    meetingId: id,
    seriesId: id.nullable().optional(),
    calendarId: z.string(),
    recurrenceId: time.nullable(),
    title: z.string(),
    location: z.string(),
    meetingLink: z.string(),
    startTime: time,
    endTime: time,
    timezone: z.string(),
    organizerId: id,
    personIds: z.array(id).min(1),
    version: z.int(),
  }),
);

/**
 * `changed` names the fields and is empty for creation and deletion. Meetings keep their room, so there are no events
 * about them. All users see all rooms.
 */
export const roomChanged = defineEvent(
  'meetings.room.changed',
  1,
  z.object({
    roomId: id,
    action: z.enum(['created', 'updated', 'deleted']),
    changed: z.array(z.string()),
    version: z.int(),
  }),
);

/** A user created a link that lets calendar apps read their meetings without signing in. */
export const feedCreated = defineEvent('meetings.feed.created', 1, z.object({ userId: id, at: time }));
