import type { Directory } from '@atrium/service-kit/directory/directory';
import { expect, it } from '@jest/globals';
import { readReplyEmail } from './read-reply-email.ts';

const directory = { user: () => undefined } as unknown as Directory;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

it('readReplyEmail rejects an email with thousands of addresses and attendees within seconds of CPU time', async () => {
  const createCode = (index: number) => `${LETTERS[index % 32]}${LETTERS[(index >> 5) % 32]}${'a'.repeat(34)}`;
  const addresses = Array.from({ length: 1_000 }, (_, index) => `calendar+${createCode(index)}@example.org`);
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
  const keys = [new Uint8Array(32)];
  const startUsage = process.cpuUsage();
  expect(await readReplyEmail(Buffer.from(source), { address: 'calendar@example.org', keys, directory })).toEqual([]);
  // Each pair takes about 10 µs: three million pairs would take minutes.
  expect(process.cpuUsage(startUsage).user / 1_000).toBeLessThan(10_000);
});

function createNestedEmail(depth: number): string {
  const parts = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}`,
  );
  return `From: a@example.org\r\nTo: calendar@example.org\r\nMIME-Version: 1.0\r\n${parts.join('\r\n')}\r\n`;
}

it('readReplyEmail ignores an email whose MIME nesting is too deep to parse', async () => {
  expect(
    await readReplyEmail(Buffer.from(createNestedEmail(300)), { address: 'calendar@example.org', keys: [], directory }),
  ).toEqual([]);
});
