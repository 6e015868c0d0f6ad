import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * A mail left for the mail server, or was refused for good. `kind` is `invitation`, `reset`, `security`, `project` or `meeting`; `about`
 * is the id of what it was for: the `invitationId`, the `resetId`, the person, the project, the meeting. `cause` is the id of the event that it followed
 * from, which tells the mail of an invitation sent again from the one before.
 */
export const mailDelivered = defineEvent(
  'notifications.mail.delivered',
  1,
  z.object({ kind: z.string(), about: id, outcome: z.enum(['sent', 'failed']), cause: z.string().optional() }),
);
