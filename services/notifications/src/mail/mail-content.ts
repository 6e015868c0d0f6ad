import { id, time } from '@atrium/proto-events/fields';
import { role } from '@atrium/proto-events/people';
import { EVERY_PERIOD } from '@atrium/proto-events/recurrence';
import { frequency, seriesRule } from '@atrium/proto-events/recurrence-schemas';
import { z } from 'zod';

const meetingFacts = z.object({
  /** What calendars know it by, see the events of meetings. */
  calendarId: z.string(),
  recurrenceId: time.nullable(),
  title: z.string(),
  description: z.string(),
  agenda: z.string(),
  location: z.string(),
  meetingLink: z.string(),
  startTime: time,
  endTime: time,
  timezone: z.string(),
  ...seriesRule.shape,
  frequency: frequency.nullable(),
});

/** Of a single meeting, or a single date of a series. */
export const NOT_REPEATED = { ...EVERY_PERIOD, frequency: null, until: null };

/** Browser and system in words, and network address; null for what is not known. */
const place = { device: z.string().nullable(), address: z.string().nullable() };

/** What a mail is about, as it waits in the outbox; it becomes words only when it is sent, and a sealed link is opened only then. */
export const mailContent = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('invitation'),
    inviter: z.string().nullable(),
    role,
    expiresAt: time,
    sealedUrl: z.string(),
  }),
  z.object({
    template: z.literal('password-reset'),
    expiresAt: time,
    sealedUrl: z.string(),
  }),
  z.object({ template: z.literal('password-changed'), at: time, ...place }),
  z.object({ template: z.literal('new-device'), at: time, ...place }),
  z.object({ template: z.literal('feed-created'), at: time }),
  z.object({ template: z.literal('reset-link-made'), administrator: z.string().nullable(), at: time, expiresAt: time }),
  z.object({
    template: z.literal('administrator-made'),
    administrator: z.object({ name: z.string(), email: z.string() }),
    actor: z.string().nullable(),
    at: time,
  }),
  z.object({
    template: z.literal('project'),
    actor: z.string().nullable(),
    /** `version` is the one in which they are added. */
    project: z.object({ id, name: z.string(), version: z.int() }),
    asManager: z.boolean(),
  }),
  z.object({
    template: z.literal('task'),
    reason: z.enum(['assigned', 'changed', 'commented']),
    actor: z.string().nullable(),
    task: z.object({ id, projectId: id, title: z.string() }),
    /** The project's name, where it is known. */
    project: z.string().nullable(),
    status: z.string(),
    dueDate: time.nullable(),
    changed: z.array(z.string()).optional(),
    /** The beginning of a comment. */
    excerpt: z.string().optional(),
    /** The kind of the notification in the app beside which it is sent. */
    notificationKind: z.string(),
  }),
  z.object({
    template: z.literal('meeting'),
    news: z.enum(['invited', 'updated', 'cancelled', 'removed']),
    organizer: z.string(),
    meeting: meetingFacts,
    changed: z.array(z.string()),
    /** Whether answers start over. */
    reinvited: z.boolean(),
    /** Of a series whose dates from this start on are cancelled, or not the recipient's any more. */
    ended: z.object({ from: time, as: z.enum(['cancelled', 'removed']) }).optional(),
  }),
  z.object({
    template: z.literal('meeting-reminder'),
    organizer: z.string(),
    meeting: meetingFacts.pick({
      calendarId: true,
      recurrenceId: true,
      title: true,
      location: true,
      meetingLink: true,
      startTime: true,
      endTime: true,
      timezone: true,
    }),
  }),
]);
export type MailContent = z.infer<typeof mailContent>;
export type ReminderContent = Extract<MailContent, { template: 'meeting-reminder' }>;
export type ProjectContent = Extract<MailContent, { template: 'project' }>;
export type TaskContent = Extract<MailContent, { template: 'task' }>;
export type MeetingContent = Extract<MailContent, { template: 'meeting' }>;
