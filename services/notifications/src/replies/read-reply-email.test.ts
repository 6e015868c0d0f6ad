import type { DirectoryUser } from '@atrium/proto-events/people';
import { MAX_EVENT_BYTES } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { createReplyAddress, type SignedTarget } from '../email/reply-address.ts';
import { readReplyEmail } from './read-reply-email.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const KEY = new Uint8Array(32);
const [OTHER_KEY, OLD_KEY] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const ADDRESS = 'replies@example.org';
const USER = buildUser({ email: 'mia@example.org' });
const OTHER_USER = buildUser({ email: 'otto@example.org' });
const NONE = { rsvps: [], replies: [] };

function createOptions(users: readonly DirectoryUser[] = [USER, OTHER_USER]) {
  const byId = new Map(users.map((user) => [user._id, user]));
  const directory = { user: (id: string) => byId.get(id), users: () => byId.values() };
  return { address: ADDRESS, keys: [KEY, OLD_KEY], directory, senderAddress: 'no-reply@example.org' };
}

const TASK = { kind: 'task', id: newId(), userId: USER._id } as const;
const toAddress = (target: SignedTarget, key = KEY) =>
  createReplyAddress({ address: ADDRESS, keys: [key] }, target) ?? '';

type EmailParts = { to?: string; headers?: string[]; type?: string; body?: string };

const read = ({
  to = toAddress(TASK),
  headers = [],
  type = 'text/plain; charset=utf-8',
  body = 'Looks good.',
}: EmailParts = {}) =>
  readReplyEmail(
    Buffer.from(
      [
        'From: anyone@example.com',
        `To: ${to}`,
        'Message-ID: <1@example.com>',
        ...headers,
        `Content-Type: ${type}`,
        '',
        body,
        '',
      ].join('\r\n'),
    ),
    createOptions(),
  );

/** With other letters at one place of the code. */
function alterCode(address: string, index: number): string {
  const at = address.indexOf('+') + 1 + index;
  return `${address.slice(0, at)}${address[at] === 'q' ? 'z' : 'q'}${address.slice(at + 1)}`;
}

describe('readReplyEmail', () => {
  it.each(['task', 'conversation', 'thread'] as const)(
    'reads a reply to the address of one %s and user',
    async (kind) => {
      const target = { kind, id: newId(), userId: USER._id };
      const address = toAddress(target);
      expect(address.indexOf('@')).toBeLessThanOrEqual(64);
      const { replies } = await read({ to: `Northwind <${address.toUpperCase().replace('REPLIES', 'Replies')}>` });
      expect(replies).toEqual([{ id: expect.any(String), target, text: 'Looks good.', hasAttachments: false }]);
    },
  );

  it('accepts codes of the previous key, and none of another', async () => {
    expect((await read({ to: toAddress(TASK, OLD_KEY) })).replies).toHaveLength(1);
    expect(await read({ to: toAddress(TASK, OTHER_KEY) })).toEqual(NONE);
  });

  it('rejects an altered code, and one of another item, user, or kind', async () => {
    const address = toAddress(TASK);
    const [local, domain] = address.split('@');
    for (const index of [0, 1, 5, 12, 20, 29, 35, 43])
      expect(await read({ to: alterCode(address, index) })).toEqual(NONE);
    for (const kindLetter of 'acd') {
      const otherKind = address.replace(/\+./, `+${kindLetter}`);
      expect(await read({ to: otherKind })).toEqual(NONE);
    }
    expect(await read({ to: `${local}@example.com` })).toEqual(NONE);
    expect(await read({ to: `${local?.slice(0, -1)}@${domain}` })).toEqual(NONE);
    expect(await read({ to: ADDRESS })).toEqual(NONE);
    const ofOther = toAddress({ ...TASK, userId: OTHER_USER._id });
    // The user of one code with the item and signature of the other.
    expect(await read({ to: `${address.slice(0, 19)}${ofOther.slice(19)}` })).toEqual(NONE);
  });

  it('finds the code in the headers that mail servers add', async () => {
    const headers = [`Delivered-To: ${toAddress(TASK)}`, `X-Original-To: ${toAddress(TASK)}`];
    expect((await read({ to: 'undisclosed-recipients:;', headers })).replies).toHaveLength(1);
  });

  it.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated (vacation)',
    'Precedence: bulk',
    'Precedence: auto_reply',
    'X-Autoreply: yes',
    'X-Autorespond: out of office',
    'Return-Path: <>',
  ])('ignores an auto-reply: %s', async (header) => {
    expect(await read({ headers: [header] })).toEqual(NONE);
  });

  it('ignores bounces and receipts', async () => {
    expect(await read({ type: 'multipart/report; report-type=delivery-status; boundary=b' })).toEqual(NONE);
  });

  it('accepts emails that only resemble an auto-reply', async () => {
    for (const header of ['Auto-Submitted: no', 'Return-Path: <mia@example.org>', 'Precedence: normal'])
      expect((await read({ headers: [header] })).replies).toHaveLength(1);
  });

  it('has an id that depends on the email, its target, and its text', async () => {
    const ids = await Promise.all(
      [
        {},
        { headers: ['X-Received: again'] },
        { body: 'Something else.' },
        { to: toAddress({ ...TASK, id: newId() }) },
      ].map(async (parts) => (await read(parts)).replies[0]?.id),
    );
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  it('reads HTML only if there is no text, and names files and pasted images, but no images of the signature', async () => {
    const multipart = (parts: string[]) => ({
      type: 'multipart/mixed; boundary=b',
      body: [...parts.map((part) => `--b\r\n${part}`), '--b--'].join('\r\n'),
    });
    const html = 'Content-Type: text/html; charset=utf-8\r\n\r\n<p>Rất tốt</p><blockquote>old</blockquote>';
    const file = 'Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\n\r\nx';
    expect(
      (await read({ type: 'text/html; charset=utf-8', body: '<p>Rất tốt</p><blockquote>old</blockquote>' })).replies,
    ).toMatchObject([{ text: 'Rất tốt', hasAttachments: false }]);
    expect((await read(multipart([html, file]))).replies).toMatchObject([{ text: 'Rất tốt', hasAttachments: true }]);
    const image = 'Content-Type: image/png\r\nContent-ID: <logo>\r\nContent-Disposition: inline\r\n\r\nx';
    const related = `Content-Type: multipart/related; boundary=c\r\n\r\n--c\r\n${html}\r\n--c\r\n${image}\r\n--c--`;
    expect((await read(multipart([related]))).replies).toMatchObject([{ text: 'Rất tốt', hasAttachments: false }]);
    const pasted = multipart([related.replace('\r\n\r\nx', `\r\n\r\n${'x'.repeat(30_000)}`)]);
    expect((await read(pasted)).replies).toMatchObject([{ text: 'Rất tốt', hasAttachments: true }]);
  });

  it('reads a text of any length as far as it fits in an event', async () => {
    const { replies } = await read({ body: '\u0001'.repeat(300_000) });
    expect(Buffer.byteLength(JSON.stringify(replies))).toBeLessThan(MAX_EVENT_BYTES - 10_000);
    expect(replies[0]?.text.length).toBeGreaterThan(10_000);
  });

  it('reads the text of an email whose attachments were not read to their end', async () => {
    const body =
      '--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA';
    const { replies } = await read({ type: 'multipart/mixed; boundary=b', body });
    expect(replies).toMatchObject([{ text: 'See the file.', hasAttachments: true }]);
  });
});

it('readReplyEmail rejects an email with thousands of addresses and attendees within seconds of CPU time', async () => {
  const createCode = (index: number) => `${LETTERS[index % 32]}${LETTERS[(index >> 5) % 32]}${'a'.repeat(44)}`;
  const addresses = Array.from({ length: 1_000 }, (_, index) => `replies+${createCode(index)}@example.org`);
  const attendees = Array.from(
    { length: 3_000 },
    (_, index) => `ATTENDEE;PARTSTAT=ACCEPTED:mailto:a${index}@example.org`,
  );
  const source = [
    'From: a@example.org',
    `To: ${addresses.join(',\r\n ')}`,
    'Content-Type: text/calendar; method=REPLY',
    '',
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${'a'.repeat(24)}@atrium`,
    'DTSTAMP:20261120T093000Z',
    'DTSTART:20270322T080000Z',
    ...attendees,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  const options = createOptions(Array.from({ length: 10_000 }, () => buildUser()));
  const startUsage = process.cpuUsage();
  expect(await readReplyEmail(Buffer.from(source), options)).toEqual(NONE);
  expect(process.cpuUsage(startUsage).user / 1_000).toBeLessThan(10_000);
});

function createNestedEmail(depth: number): string {
  const parts = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}`,
  );
  return `From: a@example.org\r\nTo: ${toAddress(TASK)}\r\nMIME-Version: 1.0\r\n${parts.join('\r\n')}\r\n`;
}

it('readReplyEmail ignores an email whose MIME nesting is too deep to parse', async () => {
  expect(await readReplyEmail(Buffer.from(createNestedEmail(300)), createOptions())).toEqual(NONE);
});
