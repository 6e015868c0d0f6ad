import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { LatestMessages } from './latest-messages.tsx';
import { toRows } from './message-rows.ts';

afterEach(cleanup);

const me = buildUser('f')._id;
const rowsOf = (...messages: ReturnType<typeof buildMessage>[]) =>
  toRows({ log: { messages, hasNewer: false, hasOlder: false }, pending: [], currentUserId: me, readUntil: null });

it('every message of others that arrives is announced, with what it forwards', () => {
  const first = buildMessage(1);
  const { rerender } = render(<LatestMessages rows={rowsOf(first)} lastSeq={1} currentUserId={me} />);
  const log = screen.getByRole('log');
  expect(log.textContent).toBe('');
  const forwarded = {
    message: null,
    conversation: null,
    sender: buildUser('b'),
    content: 'The plan',
    mentions: first.mentions,
    createdAt: first.createdAt,
  };
  const arrived = [
    buildMessage(2),
    buildMessage(3, { sender: buildUser('f') }),
    buildMessage(4, { content: '', forwarded: forwarded as never }),
  ];
  rerender(<LatestMessages rows={rowsOf(first, ...arrived)} lastSeq={1} currentUserId={me} />);
  const lines = [...log.querySelectorAll('p')].map(({ textContent }) => textContent);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('A Example: message 2');
  expect(lines[1]).toMatch(/^A Example: Forwarded: .*The plan/);
});
