import { createCipheriv, randomBytes } from 'node:crypto';
import type { createSecretLink } from '@atrium/auth/secrets/secret-link';
import { composeEmail } from '@atrium/notifications/email/compose-email';
import { type EmailContent, NOT_REPEATED } from '@atrium/notifications/email/templates/email-content';
import type { EmailNotice, ReplyTarget } from '@atrium/notifications/store/records';

export const PUBLIC_URL = 'https://atrium.example.org';
const KEY = new Uint8Array(randomBytes(32));
const FUTURE_TIME = '2099-01-01T10:00:00.000Z';
const DEVICE = { device: 'Firefox on Linux', address: '192.0.2.9' };
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const [ID, OTHER_ID] = ['a'.repeat(24), 'b'.repeat(24)];

export type SampleEmail = { content: EmailContent; kind?: string; notice?: EmailNotice; replyTarget?: ReplyTarget };

/** Builds a link to a sign-in page, sealed as the auth service does it (compact JWE, direct key, A256GCM). */
function sealLink(page: Parameters<typeof createSecretLink>[1]): string {
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv).setAAD(Buffer.from(header));
  const token = randomBytes(32).toString('base64url');
  const ciphertext = Buffer.concat([cipher.update(`${PUBLIC_URL}/${page}?token=${token}`), cipher.final()]);
  return [header, '', ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

const meeting = {
  calendarId: 'c'.repeat(24),
  recurrenceId: null,
  title: 'Portal planning',
  description: 'What we finish before the summer, and what waits.',
  agenda: '1. Open tasks\n2. The date of the launch\n3. Who tests on phones',
  location: 'Room Saigon',
  meetingLink: `https://meet.example.org/${'portal-planning-'.repeat(6)}`,
  startTime: FUTURE_TIME,
  endTime: '2099-01-01T11:00:00.000Z',
  timezone: 'Europe/Berlin',
  ...NOT_REPEATED,
};

const task = {
  template: 'task' as const,
  actor: 'Nguyễn Thị Minh Khai',
  project: 'Customer portal',
  status: 'in-progress',
  dueDate: '2099-01-02T00:00:00.000Z',
  task: { id: ID, projectId: OTHER_ID, title: 'Draw the plan of the start page' },
  notificationKind: 'any',
};

const invited = { kinds: ['meeting_invitation'], reason: 'participant' } satisfies EmailNotice;
const meetingEmail = {
  template: 'meeting' as const,
  organizer: 'Trần Văn Đức',
  meeting,
  changed: [],
  rsvpReset: false,
};

/** At least one email of each template, with names and titles of several scripts and lengths. */
export const SAMPLE_EMAILS: Readonly<Record<string, SampleEmail>> = {
  invitation: {
    kind: 'invitation',
    content: {
      template: 'invitation',
      inviter: 'Lê Hoàng Phương Anh',
      role: 'member',
      expiresAt: FUTURE_TIME,
      sealedUrl: sealLink('accept-invite'),
    },
  },
  'password-reset': {
    kind: 'reset',
    content: { template: 'password-reset', expiresAt: FUTURE_TIME, sealedUrl: sealLink('reset-password') },
  },
  'password-changed': { kind: 'security', content: { template: 'password-changed', at: FUTURE_TIME, ...DEVICE } },
  'new-device': { kind: 'security', content: { template: 'new-device', at: FUTURE_TIME, ...DEVICE } },
  'feed-created': { kind: 'security', content: { template: 'feed-created', at: FUTURE_TIME } },
  'reset-link-created': {
    kind: 'security',
    content: { template: 'reset-link-created', administrator: null, at: FUTURE_TIME, expiresAt: FUTURE_TIME },
  },
  'admin-granted': {
    kind: 'security',
    content: {
      template: 'admin-granted',
      administrator: { name: 'Nora New', email: `${'nora.new.'.repeat(6)}@example.org` },
      actor: 'Ada Admin',
      at: FUTURE_TIME,
    },
  },
  project: {
    content: {
      template: 'project',
      actor: 'Ada Admin',
      project: { id: ID, name: LONG_WORD, version: 1 },
      asManager: false,
    },
    notice: { kinds: ['project_added'], reason: 'project_member' },
  },
  'task-assigned': {
    content: { ...task, reason: 'assigned' },
    notice: { kinds: ['task_assigned'], reason: 'assignee' },
  },
  'task-changed': {
    content: { ...task, reason: 'changed', changed: ['dueDate', 'status'] },
    notice: { kinds: ['task_changed'], reason: 'assignee' },
  },
  'task-commented': {
    content: {
      ...task,
      reason: 'commented',
      task: { ...task.task, title: 'תכנון דף הבית' },
      excerpt: 'נראה טוב, אבל חסר הכפתור.\nאפשר להוסיף אותו עד מחר?',
    },
    notice: { kinds: ['mention'], reason: 'mentioned' },
    replyTarget: { kind: 'task', id: ID },
  },
  'task-due': {
    content: {
      template: 'notice',
      item: {
        kind: 'projects.task.due',
        actor: null,
        title: 'Draw the floor plan',
        dueDate: '2026-12-04T00:00:00.000Z',
        path: `/progress/${OTHER_ID}?task=${ID}`,
      },
      about: { resource: 'task', id: ID },
      eventCount: 1,
    },
    notice: { kinds: ['task_due'], reason: 'assignee' },
    replyTarget: { kind: 'task', id: ID },
  },
  'meeting-invited': { content: { ...meetingEmail, type: 'invited' }, notice: invited },
  'meeting-updated': {
    content: { ...meetingEmail, type: 'updated', changed: ['startTime'], rsvpReset: true },
    notice: { kinds: ['meeting_change'], reason: 'participant' },
  },
  'meeting-cancelled': {
    content: { ...meetingEmail, type: 'cancelled' },
    notice: { kinds: ['meeting_cancellation'], reason: 'participant' },
  },
  'meeting-reminder': {
    content: { template: 'meeting-reminder', organizer: 'Trần Văn Đức', meeting },
    notice: { kinds: ['meeting_reminder'], reason: 'participant' },
  },
  'direct-message': {
    content: {
      template: 'notice',
      item: {
        kind: 'chat.direct_message.sent',
        actor: 'Đặng Thuỳ Trâm',
        title: 'a direct message',
        path: `/chat?c=${ID}&m=4`,
      },
      about: { resource: 'conversation', id: ID },
      eventCount: 3,
      text: `Can you look at the start page today? ${LONG_WORD}`,
    },
    notice: { kinds: ['direct_message'], reason: 'conversation' },
    replyTarget: { kind: 'conversation', id: ID },
  },
  'thread-reply': {
    content: {
      template: 'notice',
      item: {
        kind: 'chat.thread_reply.sent',
        actor: 'דנה לוי',
        title: 'design',
        path: `/chat?c=${ID}&thread=${OTHER_ID}&r=2`,
      },
      about: { resource: 'thread', id: OTHER_ID },
      eventCount: 1,
    },
    notice: { kinds: ['thread_reply'], reason: 'followed_thread' },
    replyTarget: { kind: 'thread', id: OTHER_ID },
  },
  'message-reminder': {
    content: {
      template: 'notice',
      item: { kind: 'chat.reminder.due', actor: null, title: 'a message that you saved', path: `/chat?c=${ID}&m=4` },
      about: null,
      eventCount: 1,
    },
    notice: { kinds: ['message_reminder'], reason: 'own_request' },
  },
  'reply-problem': {
    kind: 'reply',
    content: {
      template: 'reply-problem',
      isPosted: false,
      reason: 'Only project members can comment on its tasks',
      title: 'תכנון דף הבית',
      path: `/progress/${OTHER_ID}?task=${ID}`,
      about: { resource: 'task', id: ID },
    },
  },
  digest: {
    content: {
      template: 'digest',
      items: [
        {
          kind: 'documents.document.shared',
          actor: 'Ada Admin',
          title: `${LONG_WORD}.pdf`,
          path: `/documents?preview=${ID}`,
        },
        { kind: 'chat.mention.sent', actor: 'Nguyễn Thị Minh Khai', title: 'design', path: `/chat?c=${ID}&m=7` },
        {
          kind: 'projects.task.assigned',
          actor: null,
          title: 'תכנון דף הבית',
          path: `/progress/${OTHER_ID}?task=${ID}`,
        },
        {
          kind: 'projects.task.due',
          actor: null,
          title: 'Draw the floor plan',
          dueDate: '2026-12-04T00:00:00.000Z',
          path: `/progress/${OTHER_ID}?task=${ID}`,
        },
      ],
      total: 12,
    },
    notice: { kinds: ['document_shared', 'mention', 'task_assigned'], reason: null },
  },
};

type SampleSettings = { replyTo?: string | null; hasMailbox?: boolean };

/** Composes a sample as the notifications service does. */
export function composeSample(
  { content, kind = 'any', notice, replyTarget }: SampleEmail,
  { replyTo = null, hasMailbox = true }: SampleSettings = {},
) {
  const now = new Date();
  const mailing = { _id: 'event', content, replyTo, calendarMethod: null, calendar: null, createdAt: now };
  const recipient = { name: 'Lena Owner', firstName: 'Lena', address: 'lena@example.org', timezone: 'UTC' };
  const email = {
    ...{
      _id: 'event:person',
      mailingId: 'event',
      recipientId: ID,
      kind,
      about: OTHER_ID,
      requestId: 'r',
      createdAt: now,
    },
    ...recipient,
    ...(notice && { notice }),
    ...(replyTarget && { replyTarget }),
    ...{ state: 'queued' as const, attempts: 0, nextAttemptAt: now, settledAt: null, lastError: null },
    report: 'none' as const,
  };
  const settings = {
    workspace: 'Northwind',
    publicUrl: PUBLIC_URL,
    domain: 'example.org',
    sealingKeys: [KEY],
    ...(hasMailbox && { replies: { address: 'replies@example.org', keys: [KEY] } }),
  };
  return composeEmail(email, { mailing }, settings);
}
