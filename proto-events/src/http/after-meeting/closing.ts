import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { boundedArray, id, idParams, pageOf, pageQuery, requiredName, time, timeOrDateInput } from '../../fields.ts';
import { userSummary } from '../../people.ts';
import { summaryText } from '../meeting-fields.ts';
import { notesInput } from './notes.ts';

/** Decisions of one meeting: together with its summary they fit into one message. */
export const MAX_DECISIONS = 30;

/**
 * What became of a decision. `kept`: it stands with the meeting, which is of no project. `sent`: its project has not answered yet. `task`: it is
 * one. `refused`: the project made none, `refusal` says why. `gone`: its task was deleted.
 */
export const decisionState = z.enum(['kept', 'sent', 'task', 'refused', 'gone']);

/** A decision of a meeting. `isDone`: its task is, or somebody said so where there is none. */
export const decision = z.object({
  _id: id,
  text: z.string(),
  assignedTo: userSummary.nullable(),
  dueDate: time.nullable(),
  state: decisionState,
  isDone: z.boolean(),
  task: z.object({ _id: id, status: z.string() }).nullable(),
  refusal: z.string().nullable(),
  project: id.nullable(),
  meeting: z.object({ _id: id, title: z.string(), startTime: time }),
  abilities: z.object({
    settle: z.boolean().describe('Say that it is done, or not'),
    tryAgain: z.boolean().describe('Ask the project once more for a task'),
  }),
});
export type Decision = z.infer<typeof decision>;

/** How a meeting was closed, if it was. */
export const closing = z.object({
  closedAt: time.nullable(),
  closedBy: userSummary.nullable(),
  post: z
    .object({
      state: z.enum(['none', 'sent', 'posted', 'refused']),
      conversation: id.nullable(),
      seq: z.int().nullable(),
      refusal: z.string().nullable(),
    })
    .nullable()
    .describe(
      'What became of the summary in the conversation of the project; `none`: there was nothing to be said, or nowhere. Who cannot see the conversation does not receive its ids',
    ),
  decisions: z.array(decision),
  abilities: z.object({ close: z.boolean(), reopen: z.boolean(), writeNotes: z.boolean() }),
});
export type Closing = z.infer<typeof closing>;

const decisionInput = z.object({
  text: requiredName('A decision needs a text', 200),
  assignedTo: id.nullable().default(null),
  dueDate: timeOrDateInput.nullable().default(null),
});

export const closeMeeting = endpoint({
  method: 'POST',
  path: '/meetings/:id/close',
  summary:
    'Close a meeting that has begun, once (administrators and project managers who see it): its decisions become tasks of its project, its summary is posted there',
  access: 'user',
  idempotent: true,
  params: idParams,
  body: z.object({
    summary: summaryText.optional(),
    notes: notesInput.optional(),
    decisions: boundedArray(
      MAX_DECISIONS,
      z.array(decisionInput),
      `A meeting can have at most ${MAX_DECISIONS} decisions`,
    ).default([]),
    version: z
      .int()
      .optional()
      .describe(
        'Of the meeting, on which `summary` was typed: where somebody has saved another since, 409 stale_version',
      ),
  }),
  maxBodyBytes: 262_144,
  response: closing,
  status: 201,
  errors: ['forbidden', 'not_found', 'conflict', 'stale_version'],
  rules: ['Decisions can be assigned to active users only'],
});

export const reopenMeeting = endpoint({
  method: 'DELETE',
  path: '/meetings/:id/close',
  summary:
    'Reopen a meeting within a day after it was closed (administrators and the person who closed it): decisions and their tasks stay, the posted summary is removed',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const getClosing = endpoint({
  method: 'GET',
  path: '/meetings/:id/closing',
  summary: 'How a meeting was closed, and what became of its decisions',
  access: 'user',
  params: idParams,
  response: closing,
  status: 200,
  errors: ['not_found'],
});

export const updateDecision = endpoint({
  method: 'PATCH',
  path: '/meetings/:id/decisions/:decisionId',
  summary:
    'Of a decision that is no task: say that it is done, or ask its project again, for somebody else or another day',
  access: 'user',
  params: z.object({ id, decisionId: id }),
  body: z.object({
    done: z.boolean().optional(),
    tryAgain: z.literal(true).optional(),
    assignedTo: id.nullable().optional().describe('With `tryAgain`'),
    dueDate: timeOrDateInput.nullable().optional().describe('With `tryAgain`'),
  }),
  response: decision,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
  rules: ['Decisions can be assigned to active users only'],
});

export const listOpenDecisions = endpoint({
  method: 'GET',
  path: '/meetings/decisions',
  summary: 'Decisions that are not done, of the meetings that the caller may see; those of the latest meeting first',
  access: 'user',
  query: pageQuery.extend({ project: id.optional() }),
  response: pageOf(decision),
  status: 200,
});
