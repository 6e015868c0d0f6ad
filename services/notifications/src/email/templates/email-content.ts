import { id, time } from '@atrium/proto-events/fields';
import { role } from '@atrium/proto-events/people';
import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence/rule';
import { frequency, seriesRule } from '@atrium/proto-events/recurrence/schemas';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { z } from 'zod';

/** A name within a line of an email. Line breaks are removed, because they would look like a new paragraph. */
const name = z.string().overwrite(normalizeName);

const meetingFields = z.object({
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

export const NOT_REPEATED = { ...DEFAULT_RECURRENCE, frequency: null, until: null };

/** Browser and operating system as text, and IP address; null if unknown. */
const client = { device: name.nullable(), address: name.nullable() };

export const meetingContent = z.object({
  template: z.literal('meeting'),
  type: z.enum(['invited', 'updated', 'cancelled', 'removed']),
  organizer: name,
  meeting: meetingFields,
  changed: z.array(z.string()),
  rsvpReset: z.boolean(),
  /** Set if the series was truncated for the recipient: from when, and as which type. */
  ended: z.object({ from: time, as: z.enum(['cancelled', 'removed']) }).optional(),
});

/** A notification; `kind` is the type of its event. */
const noticeItem = z.object({
  kind: z.string(),
  actor: name.nullable(),
  title: name,
  dueDate: time.optional(),
  path: z.string(),
});

/** Content of a queued email. It is rendered, and its sealed link opened, when the email is sent. */
export const emailContent = z.discriminatedUnion('template', [
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
  z.object({ template: z.literal('password-changed'), at: time, ...client }),
  z.object({ template: z.literal('new-device'), at: time, ...client }),
  z.object({ template: z.literal('feed-created'), at: time }),
  z.object({ template: z.literal('reset-link-created'), administrator: name.nullable(), at: time, expiresAt: time }),
  z.object({
    template: z.literal('admin-granted'),
    administrator: z.object({ name, email: z.string() }),
    actor: name.nullable(),
    at: time,
  }),
  z.object({
    template: z.literal('project'),
    actor: name.nullable(),
    project: z.object({
      id,
      name,
      /** The project version that added the recipient. */
      version: z.int(),
    }),
    asManager: z.boolean(),
  }),
  z.object({
    template: z.literal('task'),
    reason: z.enum(['assigned', 'changed', 'commented']),
    actor: name.nullable(),
    task: z.object({ id, projectId: id, title: name }),
    project: name.nullable(),
    status: name,
    dueDate: time.nullable(),
    changed: z.array(z.string()).optional(),
    excerpt: z.string().optional(),
    commentId: z.string().optional(),
    notificationKind: z.string(),
  }),
  z.object({
    template: z.literal('digest'),
    items: z.array(noticeItem),
    /** Of unread notifications, of which the items are the latest. */
    total: z.int(),
  }),
  z.object({
    template: z.literal('notice'),
    item: noticeItem,
    /** The item whose emails are grouped; null if there is none. */
    about: z.object({ resource: z.string(), id }).nullable(),
    eventCount: z.int(),
    /**
     * The beginning of the message, if the workspace lets it leave chat. Added when the email is sent, because the
     * message may be edited before.
     */
    text: z.string().optional(),
  }),
  z.object({
    template: z.literal('reply-problem'),
    /** False if nothing of the reply was posted. */
    isPosted: z.boolean(),
    reason: z.string(),
    title: name.nullable(),
    path: z.string(),
    about: z.object({ resource: z.string(), id }).nullable(),
  }),
  meetingContent,
  z.object({
    template: z.literal('meeting-reminder'),
    organizer: name,
    meeting: meetingFields.pick({
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
export type EmailContent = z.infer<typeof emailContent>;
export type ContentOf<Template extends EmailContent['template']> = Extract<EmailContent, { template: Template }>;
export type MeetingContent = ContentOf<'meeting'>;

export const isCancellation = (type: MeetingContent['type']): boolean => type === 'removed' || type === 'cancelled';
