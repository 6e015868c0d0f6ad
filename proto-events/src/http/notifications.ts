import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, MAX_TIMESTAMP_LENGTH, pageQuery, time } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { userSummary } from '../people.ts';

export const notification = z.object({
  _id: z.string(),
  kind: z.string().describe('The type of the event that caused it, such as projects.member.added'),
  actor: userSummary.nullable(),
  subject: z.object({
    resource: z.string(),
    id,
    title: z.string(),
    project: id.optional().describe('For a task: its project'),
    place: z
      .object({ conversation: id, seq: z.int(), thread: id.optional().describe('Its root; the seq is that in it') })
      .optional()
      .describe('For a message: where it is'),
  }),
  readAt: time.nullable(),
  createdAt: time,
  startsAt: time.optional().describe('For a reminder: when the meeting begins'),
  changed: z.array(z.string()).optional().describe('For a changed task: which of its fields, `dueDate` and `status`'),
  from: time
    .optional()
    .describe('For a series that was partly canceled or that the caller left: the first affected start'),
  person: userSummary.optional().describe('The user who joined or left a project'),
  reason: z.string().optional().describe('For a file that could not be saved: the reason, as a sentence'),
  tasks: z
    .object({ titles: z.array(z.string()), count: z.int() })
    .optional()
    .describe('Tasks that are unassigned because their assignee left: the first titles, and the count'),
});

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: 'List the caller’s notifications, newest first',
  access: 'user',
  query: pageQuery,
  response: pageOf(notification).extend({ unreadCount: z.int() }),
  status: 200,
});

export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark the caller’s notifications up to a time as read, all or some of them',
  access: 'user',
  body: z.object({
    until: z.iso.datetime().max(MAX_TIMESTAMP_LENGTH),
    ids: z.array(z.string().max(100)).max(100).optional().describe('Only these'),
  }),
  response: z.object({ updatedCount: z.int() }),
  status: 200,
});
