import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';

/**
 * The moment has come at which `personIds` wanted to be reminded of a meeting: each is named once for each start that the meeting has.
 * Others may be named in another event, as they chose other minutes. `calendarId` and `recurrenceId` as in the events of meetings.
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
