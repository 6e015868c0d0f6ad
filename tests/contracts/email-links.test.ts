import { createCipheriv, randomBytes } from 'node:crypto';
import type { createSecretLink } from '@atrium/auth/secrets/secret-link';
import { composeEmail } from '@atrium/notifications/email/compose-email';
import { type EmailContent, emailContent, NOT_REPEATED } from '@atrium/notifications/email/templates/email-content';
import { describe, expect, it } from '@jest/globals';
import { listRoutes } from '../browser/screens/screens.ts';
import { read } from './sources.ts';

const PUBLIC_URL = 'https://atrium.example.org';
const KEY = new Uint8Array(randomBytes(32));
const FUTURE_TIME = '2099-01-01T10:00:00.000Z';
const DEVICE = { device: 'Firefox on Linux', address: '192.0.2.9' };

/** Builds a link to a sign-in page, sealed as the auth service does it (compact JWE, direct key, A256GCM). */
function sealLink(page: Parameters<typeof createSecretLink>[1]): string {
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv).setAAD(Buffer.from(header));
  const ciphertext = Buffer.concat([cipher.update(`${PUBLIC_URL}/${page}?token=abc`), cipher.final()]);
  return [header, '', ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

const meeting = {
  calendarId: 'c'.repeat(24),
  recurrenceId: null,
  title: 'Planning',
  description: '',
  agenda: '',
  location: '',
  meetingLink: '',
  startTime: FUTURE_TIME,
  endTime: FUTURE_TIME,
  timezone: 'UTC',
  ...NOT_REPEATED,
};

/** One email per template. */
const EMAILS: { [T in EmailContent['template']]: Extract<EmailContent, { template: T }> } = {
  invitation: {
    template: 'invitation',
    inviter: null,
    role: 'member',
    expiresAt: FUTURE_TIME,
    sealedUrl: sealLink('accept-invite'),
  },
  'password-reset': { template: 'password-reset', expiresAt: FUTURE_TIME, sealedUrl: sealLink('reset-password') },
  'password-changed': { template: 'password-changed', at: FUTURE_TIME, ...DEVICE },
  'new-device': { template: 'new-device', at: FUTURE_TIME, ...DEVICE },
  'feed-created': { template: 'feed-created', at: FUTURE_TIME },
  'reset-link-created': {
    template: 'reset-link-created',
    administrator: null,
    at: FUTURE_TIME,
    expiresAt: FUTURE_TIME,
  },
  digest: {
    template: 'digest',
    items: [{ kind: 'documents.document.shared', actor: null, title: 'Plan', path: '/documents' }],
    total: 1,
  },
  'admin-granted': {
    template: 'admin-granted',
    administrator: { name: 'Nora New', email: 'nora@example.org' },
    actor: null,
    at: FUTURE_TIME,
  },
  project: {
    template: 'project',
    actor: null,
    project: { id: 'a'.repeat(24), name: 'Portal', version: 1 },
    asManager: false,
  },
  task: {
    template: 'task',
    reason: 'assigned',
    actor: null,
    project: null,
    status: 'todo',
    dueDate: null,
    task: { id: 'a'.repeat(24), projectId: 'b'.repeat(24), title: 'Draw' },
    notificationKind: 'any',
  },
  meeting: { template: 'meeting', type: 'invited', organizer: 'Paul', meeting, changed: [], rsvpReset: false },
  'meeting-reminder': { template: 'meeting-reminder', organizer: 'Paul', meeting },
};

/** Templates without a link. */
const TEMPLATES_WITHOUT_LINK = ['reset-link-created'];

const toPattern = (route: string) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`);
const routes = listRoutes(read('web/src/app/router.tsx'))
  .filter((route) => route !== '*')
  .map(toPattern);

/** Lists the paths of Atrium that an email links to, except the start page. */
async function listLinkedPaths(content: EmailContent): Promise<string[]> {
  const now = new Date();
  const mailing = { _id: 'event', content, replyTo: null, calendarMethod: null, calendar: null, createdAt: now };
  const mail = {
    ...{
      _id: 'event:person',
      mailingId: 'event',
      recipientId: 'person',
      kind: 'any',
      about: 'b'.repeat(24),
      requestId: 'r',
      createdAt: now,
    },
    ...{
      name: 'Lena Owner',
      firstName: 'Lena',
      address: 'lena@example.org',
      timezone: 'UTC',
      state: 'queued' as const,
      attempts: 0,
    },
    ...{ nextAttemptAt: now, settledAt: null, lastError: null, report: 'none' as const },
  };
  const settings = { workspace: 'Northwind', publicUrl: PUBLIC_URL, domain: 'example.org', sealingKeys: [KEY] };
  const { html } = await composeEmail(mail, mailing, settings);
  return [...String(html).matchAll(/href="([^"]+)"/g)]
    .map(([, link = '']) => new URL(link))
    .filter(({ href, origin }) => origin === PUBLIC_URL && href !== `${PUBLIC_URL}/`)
    .map(({ pathname }) => pathname);
}

describe('links in emails', () => {
  it('are tested for every template', () => {
    const templates = emailContent.options.map(({ shape }) => shape.template.value);
    expect(Object.keys(EMAILS).sort()).toEqual([...templates].sort());
  });

  it.each(Object.entries(EMAILS))('lead to routes of the app: %s', async (template, content) => {
    const paths = await listLinkedPaths(content);
    expect(paths.length > 0).toBe(!TEMPLATES_WITHOUT_LINK.includes(template));
    expect(paths.filter((path) => !routes.some((route) => route.test(path)))).toEqual([]);
  });
});
