import { describe, expect, it } from '@jest/globals';
import { findOwnLinks } from './own-links.ts';

const ORIGIN = 'https://atrium.example';
const ID = 'a'.repeat(24);
const OTHER_ID = 'b'.repeat(24);
const find = (content: string) => findOwnLinks(content, ORIGIN);

describe('links to this workspace', () => {
  it.each([
    [`/progress/${ID}`, { kind: 'project', id: ID }],
    [`/progress/${ID}?task=${OTHER_ID}`, { kind: 'task', id: OTHER_ID }],
    [`/meetings?meeting=${ID}`, { kind: 'meeting', id: ID }],
    [`/meetings/calendar?meeting=${ID}`, { kind: 'meeting', id: ID }],
    [`/documents?preview=${ID}`, { kind: 'document', id: ID }],
    [`/chat?c=${ID}&m=7`, { kind: 'message', conversation: ID, root: null, seq: 7 }],
    [`/chat?c=${ID}&thread=${OTHER_ID}&r=2`, { kind: 'message', conversation: ID, root: OTHER_ID, seq: 2 }],
    [`/chat?c=${ID}&m=7&thread=${OTHER_ID}`, { kind: 'message', conversation: ID, root: null, seq: 7 }],
  ])('are recognized: %s', (path, link) => {
    expect(find(`see ${ORIGIN}${path}.`)).toEqual([{ ...link, path }]);
  });

  it.each([
    `https://atrium.example.org/progress/${ID}`,
    `http://atrium.example/progress/${ID}`,
    `${ORIGIN}/progress/${ID}/board`,
    `${ORIGIN}/progress`,
    `${ORIGIN}/progress/${ID}?task=none`,
    `${ORIGIN}/meetings?rsvp=${ID}`,
    `${ORIGIN}/chat?c=${ID}`,
    `${ORIGIN}/chat?c=${ID}&m=0`,
    `${ORIGIN}/settings`,
    `\`${ORIGIN}/progress/${ID}\``,
    `\`\`\`\n${ORIGIN}/progress/${ID}\n\`\`\``,
  ])('are not other addresses: %s', (address) => {
    expect(find(address)).toEqual([]);
  });

  it('are the first three different ones', () => {
    const addresses = [1, 1, 2, 3, 4].map((digit) => `${ORIGIN}/progress/${String(digit).repeat(24)}`);
    expect(find(addresses.join(' ')).map(({ path }) => path.at(-1))).toEqual(['1', '2', '3']);
  });
});
