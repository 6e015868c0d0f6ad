import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, MAX_TIMESTAMP_LENGTH, pageOf, pageQuery, time } from '../fields.ts';
import { userSummary } from '../people.ts';

/** Something that concerns one person: what happened, who did it and what it is about. */
export const notification = z.object({
  _id: z.string(),
  kind: z.string().describe('The type of the event behind it, such as projects.member.added'),
  actor: userSummary.nullable(),
  subject: z.object({
    resource: z.string(),
    id,
    title: z.string(),
    project: id.optional().describe('Of a task: the project on whose board it is'),
  }),
  readAt: time.nullable(),
  createdAt: time,
  startsAt: time.optional().describe('When the meeting begins that it reminds of; absent from what reminds of none'),
  changed: z.array(z.string()).optional().describe('Of a changed task: which of its fields, `dueDate` and `status`'),
  from: time
    .optional()
    .describe('Of a series that was cancelled in part, or is not the caller’s any more: from which start on'),
  person: userSummary.optional().describe('The user who joined or left a project'),
  reason: z.string().optional().describe('Of a file that could not be saved: why, as a sentence'),
  tasks: z
    .object({ titles: z.array(z.string()), count: z.int() })
    .optional()
    .describe('Tasks that are unassigned because their assignee left: the first titles, and how many there are'),
});

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: 'What happened that concerns the caller, newest first',
  access: 'user',
  query: pageQuery,
  response: pageOf(notification).extend({ unreadCount: z.int() }),
  status: 200,
});

export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark the caller’s notifications up to a moment as read, all or some of them',
  access: 'user',
  body: z.object({
    until: z.iso.datetime().max(MAX_TIMESTAMP_LENGTH),
    ids: z.array(z.string().max(100)).max(100).optional().describe('These alone of those'),
  }),
  response: z.object({ updatedCount: z.int() }),
  status: 200,
});
