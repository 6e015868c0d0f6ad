import { id, time } from '@atrium/proto-events/fields';
import { role } from '@atrium/proto-events/people';
import { EVERY_PERIOD } from '@atrium/proto-events/recurrence';
import { frequency, seriesRule } from '@atrium/proto-events/recurrence-schemas';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { z } from 'zod';

/** A name or title within the words of a mail: a line break in it would read as a paragraph of the product's own. */
const name = z.string().overwrite(normalizeName);

const meetingFacts = z.object({
  /** What calendars know it by, see the events of meetings. */
  calendarId: z.string(),
  recurrenceId: time.nullable(),
  title: name,
  description: z.string(),
  agenda: z.string(),
  location: name,
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
const place = { device: name.nullable(), address: name.nullable() };

export const meetingContent = z.object({
  template: z.literal('meeting'),
  news: z.enum(['invited', 'updated', 'cancelled', 'removed']),
  organizer: name,
  meeting: meetingFacts,
  changed: z.array(z.string()),
  /** Whether answers start over. */
  rsvpReset: z.boolean(),
  /** Of a series whose dates from this start on are cancelled, or not the recipient's any more. */
  ended: z.object({ from: time, as: z.enum(['cancelled', 'removed']) }).optional(),
});

/** What a mail is about, as it waits in the outbox; it becomes words only when it is sent, and a sealed link is opened only then. */
export const mailContent = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('invitation'),
    inviter: name.nullable(),
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
  z.object({ template: z.literal('reset-link-made'), administrator: name.nullable(), at: time, expiresAt: time }),
  z.object({
    template: z.literal('administrator-made'),
    administrator: z.object({ name, email: z.string() }),
    actor: name.nullable(),
    at: time,
  }),
  z.object({
    template: z.literal('project'),
    actor: name.nullable(),
    /** `version` is the one in which they are added. */
    project: z.object({ id, name, version: z.int() }),
    asManager: z.boolean(),
  }),
  z.object({
    template: z.literal('task'),
    reason: z.enum(['assigned', 'changed', 'commented']),
    actor: name.nullable(),
    task: z.object({ id, projectId: id, title: name }),
    /** The project's name, where it is known. */
    project: name.nullable(),
    status: name,
    dueDate: time.nullable(),
    changed: z.array(z.string()).optional(),
    /** The beginning of a comment. */
    excerpt: z.string().optional(),
    /** The kind of the notification in the app beside which it is sent. */
    notificationKind: z.string(),
  }),
  meetingContent,
  z.object({
    template: z.literal('meeting-reminder'),
    organizer: name,
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
