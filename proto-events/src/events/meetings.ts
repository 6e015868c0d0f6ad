import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { seriesRule } from '../recurrence-schemas.ts';
import { calendarObject, calendarParts } from './meeting-calendar.ts';

/** Everything an invitation needs (RFC 5545): the UID derives from `calendarId`, SEQUENCE is `sequence`. */
const facts = {
  meetingId: id,
  seriesId: id.nullable(),
  calendarId: z.string().describe('The series, or the meeting itself if it is not part of one'),
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
 * For a series that ends earlier: users whose dates from the start `from` on were `cancelled`, or who were `removed` from
 * them. Absent if the dates continue for everyone, even in another series.
 */
const truncatedFor = z
  .object({ from: time, as: z.enum(['cancelled', 'removed']), personIds: z.array(id).min(1) })
  .optional();

/**
 * Users who were reminded of a start (`meetings.meeting.due`) that no longer applies to them: the meeting was moved
 * or cancelled, or they are no longer invited or declined. Absent if there are none.
 */
const staleReminders = z.array(z.object({ meetingId: id, startTime: time, personIds: z.array(id).min(1) })).optional();

export const meetingScheduled = defineEvent(
  'meetings.meeting.scheduled',
  1,
  z.object({ ...facts, calendar, calendarParts }),
);

/**
 * `removedIds` receive a cancellation; `rsvpReset` means that responses were reset because the time or the recurrence
 * changed, or a meeting became a series.
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
 * `isAlone`: an occurrence of a series to which these users were invited individually; the organizer is notified of
 * the series.
 */
export const meetingCancelled = defineEvent(
  'meetings.meeting.cancelled',
  1,
  z.object({ ...facts, calendarBefore, isAlone: z.boolean().optional(), staleReminders }),
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
    staleReminders,
  }),
);

/**
 * For the browsers of users not reached by the event of another occurrence. A change of many occurrences
 * publishes several of these, each of bounded size. `changed` names the fields, if they are in no calendar.
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
 * A part of the calendars of a following event with the same `changeId` (see `calendarParts`), which would
 * otherwise exceed the maximum message size. Published before the event, with the same aggregate.
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
 * `personIds` are reminded once for each start of the meeting. Users with other reminder settings are in
 * separate events. `calendarId` and `recurrenceId` are as in the events of meetings.
 */
export const meetingDue = defineEvent(
  'meetings.meeting.due',
  1,
  z.object({
    meetingId: id,
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
 * `changed` names the fields and is empty for creation and deletion. Meetings keep their room and have no event
 * of their own. All users see all rooms.
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

/** A user created a link by which calendar apps read their meetings without signing in. */
export const feedCreated = defineEvent('meetings.feed.created', 1, z.object({ userId: id, at: time }));
