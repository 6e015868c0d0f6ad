import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';

/**
 * A mail left for the mail server, or was refused for good. `kind` is `invitation`, `reset`, `security`, `project` or `meeting`; `about`
 * is the id of what it was for: the `invitationId`, the `resetId`, the person, the project, the meeting. `cause` is the id of the event that it followed
 * from, which tells the mail of an invitation sent again from the one before. `uncertain`: the mail server did not say whether it accepted the
 * email; another outcome may follow, as it is tried again for a while.
 */
export const emailDelivered = defineEvent(
  'notifications.mail.delivered',
  1,
  z.object({
    kind: z.string(),
    about: id,
    outcome: z.enum(['sent', 'failed', 'uncertain']),
    cause: z.string(),
  }),
);

/**
 * Somebody's calendar program answered an invitation by mail, and the mail proved for whom (RFC 5546, section 3.2.3). `calendarId` is that of
 * the events of meetings, `recurrenceId` names one meeting of a series. `sequence` and `startTime` are what was answered, where the program
 * says so; `stamp` is when.
 */
export const meetingReplied = defineEvent(
  'notifications.meeting.replied',
  1,
  z.object({
    calendarId: id,
    recurrenceId: time.nullable(),
    userId: id,
    status: z.enum(['accepted', 'declined', 'tentative']),
    sequence: z.int().nullable(),
    startTime: time.nullable(),
    stamp: time,
  }),
);

/**
 * What these people are told in the app is not what it was: something came to it, or one of them has read what was there. `about` is what
 * that is about, and for what was read whose it is. Their browsers ask for the rest, as for everything.
 */
export const notificationChanged = defineEvent(
  'notifications.list.changed',
  1,
  z.object({ personIds: z.array(id).min(1), about: id }),
);
