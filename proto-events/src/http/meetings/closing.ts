import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { boundedArray, id, idParams, pageQuery, requiredName, time, timeOrDateInput } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { userSummary } from '../../people.ts';
import { summaryText } from './meeting-fields.ts';
import { notesInput } from './notes.ts';

/** Maximum decisions of one meeting; together with the summary they fit into one message. */
export const MAX_DECISIONS = 30;

/**
 * State of a decision. `standalone`: the meeting has no project. `requested`: the request waits for the project.
 * `task`: a task was created. `rejected`: the project rejected the request, and `rejection` has the reason.
 * `task-deleted`: the task was deleted.
 */
export const decisionState = z.enum(['standalone', 'requested', 'task', 'rejected', 'task-deleted']);

export const decision = z.object({
  _id: id,
  text: z.string(),
  assignedTo: userSummary.nullable(),
  dueDate: time.nullable(),
  state: decisionState,
  isDone: z.boolean(),
  task: z.object({ _id: id, status: z.string() }).nullable(),
  rejection: z.string().nullable(),
  project: id.nullable(),
  meeting: z.object({ _id: id, title: z.string(), startTime: time }),
  abilities: z.object({
    settle: z.boolean().describe('Mark it done or not done'),
    tryAgain: z.boolean().describe('Request a task from the project again'),
  }),
});
export type Decision = z.infer<typeof decision>;

export const closing = z.object({
  closedAt: time.nullable(),
  closedBy: userSummary.nullable(),
  post: z
    .object({
      state: z.enum(['none', 'requested', 'posted', 'rejected']),
      conversation: id.nullable(),
      seq: z.int().nullable(),
      rejection: z.string().nullable(),
    })
    .nullable()
    .describe(
      'State of the summary in the project’s conversation; `none`: nothing to post, or no conversation. Its ids are omitted for users who cannot see the conversation',
    ),
  decisions: z.array(decision),
  abilities: z.object({ close: z.boolean(), reopen: z.boolean(), writeNotes: z.boolean() }),
});
export type Closing = z.infer<typeof closing>;

const decisionInput = z.object({
  text: requiredName('A decision needs text', 200),
  assignedTo: id.nullable().default(null),
  dueDate: timeOrDateInput.nullable().default(null),
});

export const closeMeeting = endpoint({
  method: 'POST',
  path: '/meetings/:id/close',
  summary:
    'Close a meeting that has begun, once (administrators and project managers who see it): its decisions become tasks of its project, and its summary is posted there',
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
      .describe('The version of the meeting that `summary` is based on; responds 409 stale_version if it has changed'),
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
    'Reopen a meeting within a day after it was closed (administrators and the person who closed it): decisions and their tasks remain, the posted summary is removed',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const getClosing = endpoint({
  method: 'GET',
  path: '/meetings/:id/closing',
  summary: 'Get how a meeting was closed, and its decisions',
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
    'Update a decision without a task: mark it done, or request a task again, with a different assignee or due date',
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
  summary: 'List open decisions of the meetings that the caller can see; latest meeting first',
  access: 'user',
  query: pageQuery.extend({ project: id.optional() }),
  response: pageOf(decision),
  status: 200,
});
