import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';

/**
 * A reminder is due: `personIds` are notified once for each start of the meeting. Users with other reminder settings
 * are in separate events. `calendarId` and `recurrenceId` are as in the events of meetings.
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
