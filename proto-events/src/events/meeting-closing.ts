import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';

const participantFields = { organizerId: id, participantIds: z.array(id) };

/**
 * A part of a meeting changed that calendars do not contain: notes, agenda, or the state of decisions. `changed` names
 * the fields.
 */
export const meetingContentChanged = defineEvent(
  'meetings.content.changed',
  1,
  z.object({
    meetingId: id,
    ...participantFields,
    project: id.nullable(),
    version: z.int(),
    changed: z.array(z.string()),
  }),
);

/**
 * A meeting was closed, for the first time or after it was reopened. Carries the content that is posted in the
 * project's conversation (`project` is null if there is none): the summary, and the decisions in order. `post`: whether
 * there is anything to post.
 */
export const meetingClosed = defineEvent(
  'meetings.meeting.closed',
  1,
  z.object({
    meetingId: id,
    closingId: id,
    seriesId: id.nullable().optional(),
    title: z.string(),
    startTime: time,
    timezone: z.string(),
    ...participantFields,
    project: id.nullable(),
    closedBy: id,
    summary: z.string(),
    decisions: z.array(z.object({ decisionId: id, text: z.string() })),
    post: z.boolean(),
    version: z.int(),
  }),
);

/**
 * A closed meeting was reopened: the post of the `meetings.meeting.closed` event with this `closingId` is removed on
 * behalf of `closedBy`.
 */
export const meetingReopened = defineEvent(
  'meetings.meeting.reopened',
  1,
  z.object({
    meetingId: id,
    closingId: id,
    ...participantFields,
    project: id.nullable(),
    closedBy: id,
    version: z.int(),
  }),
);

/**
 * A decision of a closed meeting requests a task from the meeting's project. `attempt` counts from 1 and increases
 * with each retry. The permissions of `madeBy` apply.
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
