import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * What a project made of a decision of a meeting: a task, or nothing, and `reason` says why in a sentence for people. One answer for each
 * attempt; `status` and `version` are the task's as it was made, or as it is where it was there already.
 */
export const decisionResolved = defineEvent(
  'projects.decision.answered',
  1,
  z.object({
    decisionId: id,
    attempt: z.int(),
    meetingId: id,
    projectId: id,
    outcome: z.enum(['made', 'refused']),
    taskId: id.nullable(),
    status: z.string().nullable(),
    version: z.int(),
    reason: z.string().nullable(),
  }),
);
