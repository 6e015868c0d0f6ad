import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/** The summary of a closed meeting was posted in the project's conversation at `seq`, or not posted, for `reason`. */
export const summaryPosted = defineEvent(
  'chat.summary.posted',
  1,
  z.object({
    meetingId: id,
    closingId: id,
    projectId: id,
    outcome: z.enum(['posted', 'rejected']),
    conversationId: id.nullable(),
    seq: z.int().nullable(),
    reason: z.string().nullable(),
  }),
);
