import type { Directory } from '@atrium/service-kit/directory/directory';
import { expect, it } from '@jest/globals';
import { readReplyEmail } from './read-reply-email.ts';

const directory = { user: () => undefined } as unknown as Directory;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

it('rejects an email with thousands of addresses and participants without extra cost', async () => {
  const code = (at: number) => `${LETTERS[at % 32]}${LETTERS[(at >> 5) % 32]}${'a'.repeat(34)}`;
  const addresses = Array.from({ length: 1_000 }, (_, at) => `calendar+${code(at)}@example.org`);
  const attendees = Array.from({ length: 3_000 }, (_, at) => `ATTENDEE;PARTSTAT=ACCEPTED:mailto:a${at}@example.org`);
  const mail = [
    ...['From: a@example.org', `To: ${addresses.join(',\r\n ')}`, 'Content-Type: text/calendar; method=REPLY', ''],
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REPLY', 'BEGIN:VEVENT', `UID:${'a'.repeat(24)}@atrium`],
    ...['DTSTAMP:20261120T093000Z', 'DTSTART:20270322T080000Z', ...attendees, 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n');
  const keys = [new Uint8Array(32)];
  const before = process.cpuUsage();
  expect(await readReplyEmail(Buffer.from(mail), { address: 'calendar@example.org', keys, directory })).toEqual([]);
  // Each pair takes about 10 µs: three million pairs would take minutes.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
});

function nested(depth: number): string {
  const parts = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}`,
  );
  return `From: a@example.org\r\nTo: calendar@example.org\r\nMIME-Version: 1.0\r\n${parts.join('\r\n')}\r\n`;
}

it('ignores an email whose MIME nesting cannot be parsed', async () => {
  expect(
    await readReplyEmail(Buffer.from(nested(300)), { address: 'calendar@example.org', keys: [], directory }),
  ).toEqual([]);
});
