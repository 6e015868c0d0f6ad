import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { NOTICE_KINDS } from '../notices/kinds.ts';

/**
 * An email was accepted by the mail server, or failed permanently. `kind` is `invitation`, `reset`, `security`,
 * `project`, or `meeting`; `about` is the id of its subject: the `invitationId`, the `resetId`, the user, the
 * project, or the meeting. `cause` is the id of the triggering event, which distinguishes a resent invitation from
 * the first one. `uncertain`: the mail server did not confirm; the email is retried for a while, and another outcome
 * may follow.
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
 * A calendar application responded to an invitation by email, and the email authenticated the user (RFC 5546, section
 * 3.2.3). `calendarId` is as in the events of meetings; `recurrenceId` identifies one occurrence of a series.
 * `sequence` and `startTime` identify the revision that the response is to, if the application sends them; `stamp` is
 * the time of the response.
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
 * A user replied to an email about a task, and its reply address authenticated the user. `text` is what they wrote,
 * without quotes and signature, of any length. The id derives from the email.
 */
export const taskReplied = defineEvent(
  'notifications.task.replied',
  1,
  z.object({ taskId: id, userId: id, text: z.string() }),
);

/**
 * A user replied to an email about a message, as in `notifications.task.replied`. `placeId` is the id of the
 * conversation, or of the message whose thread the reply belongs to.
 */
export const messageReplied = defineEvent(
  'notifications.message.replied',
  1,
  z.object({ place: z.enum(['conversation', 'thread']), placeId: id, userId: id, text: z.string() }),
);

export const notificationChanged = defineEvent(
  'notifications.notification.changed',
  1,
  z.object({ personIds: z.array(id).min(1), about: id }),
);

/** A user turned off emails of these kinds through a link in one of them. */
export const emailsUnsubscribed = defineEvent(
  'notifications.emails.unsubscribed',
  1,
  z.object({ userId: id, kinds: z.array(z.enum(NOTICE_KINDS)).min(1) }),
);
