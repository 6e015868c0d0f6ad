import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: a mail server's replies end with CR LF
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { startMailbox } from './mailbox.ts';

type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

const INVITATION = [
  'From: Atrium <no-reply@example.org>',
  'To: Mia <mia@example.org>',
  'Message-ID: <1@example.org>',
  'Subject: =?utf-8?q?Stand-up_=E2=80=93_Monday?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Accept at https://atrium.example.org/accept?a=1&b=2 please',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <script>alert(1)</script></p>',
  '--b',
  'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
  '',
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'END:VCALENDAR',
  '--b--',
].join('\r\n');

const listSchema = z.object({
  total: z.number(),
  data: z.array(z.object({ id: z.string(), subject: z.string(), recipients: z.array(z.string()) })),
});

const send = async (smtpUrl: string, recipients: string[], mail: string): Promise<void> => {
  const socket = createConnection(Number(new URL(smtpUrl).port), '127.0.0.1');
  const commands = [
    'HELO test',
    'MAIL FROM:<no-reply@example.org>',
    ...recipients.map((to) => `RCPT TO:<${to}>`),
    'DATA',
    `${mail}\r\n.`,
    'QUIT',
  ];
  for await (const reply of createInterface({ input: socket })) {
    if (!/^[23]/.test(reply)) throw new Error(reply);
    const command = commands.shift();
    if (command === undefined) break;
    socket.write(`${command}\r\n`);
  }
  socket.destroy();
};

describe('mailbox', () => {
  let folder: string;
  let mailbox: Mailbox;
  const start = () => startMailbox({ smtpPort: 0, webPort: 0, folder, token: 'secret' });
  const read = async (path: string) => fetch(`${mailbox.webUrl}${path}`);
  const list = async (to = ''): Promise<z.infer<typeof listSchema>> =>
    listSchema.parse(await (await read(`/api/messages${to && `?to=${encodeURIComponent(to)}`}`)).json());
  const firstId = async () => (await list()).data[0]?.id ?? '';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-mailbox-'));
    mailbox = await start();
  });
  afterEach(async () => {
    await mailbox.stop();
    rmSync(folder, { recursive: true });
  });

  it('stores an email for each recipient, ignoring case in addresses', async () => {
    await send(mailbox.smtpUrl, ['Mia@Example.org', 'paul@example.org'], INVITATION);
    expect(await list('mia@example.org')).toMatchObject({ total: 1, data: [{ subject: 'Stand-up – Monday' }] });
    expect(await list('MIA@example.org')).toHaveProperty('total', 1);
    expect(await list('stranger@example.org')).toEqual({ data: [], total: 0 });
  });

  it('separates text, HTML, and calendar parts', async () => {
    await send(mailbox.smtpUrl, ['mia@example.org'], INVITATION);
    const mail = await (await read(`/api/messages/${await firstId()}`)).json();
    expect(mail).toMatchObject({
      messageId: '<1@example.org>',
      from: 'Atrium <no-reply@example.org>',
      text: expect.stringContaining('Accept at https://'),
      html: expect.stringContaining('<p>Hello'),
      calendar: { method: 'REQUEST', content: expect.stringContaining('BEGIN:VCALENDAR') },
    });
  });

  it('keeps emails across a restart, newest first', async () => {
    await send(mailbox.smtpUrl, ['mia@example.org'], INVITATION);
    await send(mailbox.smtpUrl, ['mia@example.org'], INVITATION.replace(/Subject: .*/, 'Subject: second'));
    const before = await list();
    await mailbox.stop();
    mailbox = await start();
    expect(await list()).toEqual(before);
    expect(before.data.map(({ subject }) => subject)).toEqual(['second', 'Stand-up – Monday']);
  });

  it('deletes one email, or all emails to a recipient, permanently', async () => {
    for (const to of ['mia@example.org', 'paul@example.org', 'paul@example.org'])
      await send(mailbox.smtpUrl, [to], INVITATION);
    const mia = (await list('mia@example.org')).data[0]?.id;
    expect((await fetch(`${mailbox.webUrl}/api/messages/${mia}`, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(`${mailbox.webUrl}/api/messages/${mia}`, { method: 'DELETE' })).status).toBe(404);
    const removed = await fetch(`${mailbox.webUrl}/api/messages?to=paul@example.org`, { method: 'DELETE' });
    expect(await removed.json()).toEqual({ deleted: 2 });
    await mailbox.stop();
    mailbox = await start();
    expect(await list()).toEqual({ data: [], total: 0 });
  });

  it('escapes email text in pages, and shows HTML only in a sandbox', async () => {
    await send(mailbox.smtpUrl, ['mia@example.org'], INVITATION.replace(/Subject: .*/, 'Subject: <b>bold</b>'));
    const id = await firstId();
    expect(await (await read('/')).text()).toContain('&lt;b&gt;bold&lt;/b&gt;');
    const page = await (await read(`/messages/${id}`)).text();
    expect(page).toContain('<iframe title="Email content" sandbox=');
    expect(page).toContain('<a href="https://atrium.example.org/accept?a=1&amp;b=2"');
    expect(page).not.toContain('<script>alert');
    const html = await read(`/messages/${id}/html`);
    expect(html.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups .*; default-src 'none'/);
    expect(await (await read(`/messages/${id}/source`)).text()).toContain('Content-Type: text/calendar');
  });

  it('rejects a request with a different host name (DNS rebinding)', async () => {
    const status = await new Promise((resolve) => {
      get(`${mailbox.webUrl}/api/messages`, { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.statusCode),
      );
    });
    expect(status).toBe(421);
  });

  it('responds with 404 for an unknown email or path', async () => {
    expect((await read('/messages/none')).status).toBe(404);
    expect((await read('/api/messages/none')).status).toBe(404);
    expect((await read('/elsewhere')).status).toBe(404);
  });
});
