import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';

const people = { organizerId: id, participantIds: z.array(id) };

/**
 * Something of a meeting changed that is in no calendar: its notes as they are written, its agenda, what became of its decisions. For those
 * who look at it; `changed` names the fields.
 */
export const meetingContentChanged = defineEvent(
  'meetings.meeting.recorded',
  1,
  z.object({
    meetingId: id,
    ...people,
    project: id.nullable(),
    version: z.int(),
    changed: z.array(z.string()),
  }),
);

/**
 * A meeting was closed; once more only after it was reopened. It carries what is said in the conversation of its project (`project` null: nowhere), for no service reads it from
 * another: the summary, and its decisions in their order. `post`: whether there is anything to be said there.
 */
export const meetingClosed = defineEvent(
  'meetings.meeting.closed',
  1,
  z.object({
    meetingId: id,
    closingId: id,
    title: z.string(),
    startTime: time,
    timezone: z.string(),
    ...people,
    project: id.nullable(),
    closedBy: id,
    summary: z.string(),
    decisions: z.array(z.object({ decisionId: id, text: z.string() })),
    post: z.boolean(),
    version: z.int(),
  }),
);

/** A closed meeting was reopened: what `meetings.meeting.closed` with this `closingId` had posted for `closedBy` is removed. */
export const meetingReopened = defineEvent(
  'meetings.meeting.reopened',
  1,
  z.object({
    meetingId: id,
    closingId: id,
    ...people,
    project: id.nullable(),
    closedBy: id,
    version: z.int(),
  }),
);

/**
 * A decision of a closed meeting asks the meeting's project for a task; `attempt` counts from 1, another one where somebody tries again.
 * `madeBy` is whose rights in the project count.
 */
export const decisionMade = defineEvent(
  'meetings.decision.made',
  1,
  z.object({
    decisionId: id,
    attempt: z.int().min(1),
    meetingId: id,
    project: id,
    madeBy: id,
    text: z.string(),
    assignedTo: id.nullable(),
    dueDate: time.nullable(),
  }),
);
