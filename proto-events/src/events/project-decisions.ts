import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * The project's response to a decision: a task, or none, with a `reason` for people. One response per attempt;
 * `status` and `version` are those of the new or existing task.
 */
export const decisionResolved = defineEvent(
  'projects.decision.resolved',
  1,
  z.object({
    decisionId: id,
    attempt: z.int(),
    meetingId: id,
    projectId: id,
    outcome: z.enum(['made', 'rejected']),
    taskId: id.nullable(),
    status: z.string().nullable(),
    version: z.int(),
    reason: z.string().nullable(),
  }),
);
