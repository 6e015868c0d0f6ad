import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, MAX_TIMESTAMP_LENGTH, pageQuery, time } from '../fields.ts';
import { NOTICE_KINDS, NOTICE_REASONS } from '../notices/kinds.ts';
import { NOTICE_SETTINGS } from '../notices/reasons.ts';
import { pageOf } from '../pages.ts';
import { userSummary } from '../people.ts';

export const notification = z.object({
  _id: z.string(),
  kind: z.string().describe('The type of the event that caused it, such as projects.member.added'),
  notice: z
    .object({
      kind: z.enum(NOTICE_KINDS),
      reason: z.enum(NOTICE_REASONS).describe('Why the caller received it'),
      setting: z
        .enum(NOTICE_SETTINGS)
        .nullable()
        .describe(
          'What turns it off: the channels of its kind, the level of its conversation, or following its thread',
        ),
    })
    .nullable()
    .describe('Null for outcomes of what the caller requested, which are always shown'),
  actor: userSummary.nullable().describe('Who caused the latest of its events'),
  actorCount: z.int().describe('Number of users who caused the events that it counts'),
  eventCount: z
    .int()
    .describe('Number of events that it stands for: those of one kind about one item within ten minutes, up to 100'),
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
  dueDate: time.optional().describe('For a task that is due: the start of the day in UTC'),
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

export const NOTIFICATION_FILTERS = ['all', 'unread', 'mentions'] as const;

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: 'List the caller’s notifications, newest first',
  access: 'user',
  query: pageQuery.extend({
    filter: z.enum(NOTIFICATION_FILTERS).default('all'),
    kind: z.enum(NOTICE_KINDS).optional().describe('Only those whose notice is of this kind'),
    unseen: z
      .stringbool()
      .default(false)
      .describe('The caller does not see the response, so that pushes and emails about it are not withheld'),
  }),
  response: pageOf(notification).extend({
    unreadCount: z.int().describe('Of all notifications, regardless of the filter'),
    unreadInChat: z
      .int()
      .describe('How many of the unread ones are about messages, which are also unread in Team Chat'),
  }),
  status: 200,
});

const ids = z.array(z.string().max(100)).max(100);

export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark all of the caller’s notifications as read, or those that match all of ids, item, and time',
  access: 'user',
  body: z
    .object({
      all: z.literal(true).optional(),
      ids: ids.optional(),
      about: id.optional().describe('Only those about this item, because the caller has opened it'),
      before: z.iso
        .datetime()
        .max(MAX_TIMESTAMP_LENGTH)
        .optional()
        .describe('Only those up to this time, which is the `createdAt` of the newest that the caller has seen'),
    })
    .refine(
      (body) => Object.values(body).some((value) => value !== undefined),
      'Name ids, an item, or a time, or choose all',
    ),
  response: z.object({ updatedCount: z.int() }),
  status: 200,
});

export const markNotificationsUnread = endpoint({
  method: 'POST',
  path: '/notifications/unread',
  summary: 'Mark some of the caller’s notifications as unread',
  access: 'user',
  body: z.object({ ids }),
  response: z.object({ updatedCount: z.int() }),
  status: 200,
});
