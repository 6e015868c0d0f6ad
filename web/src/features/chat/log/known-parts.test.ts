import type { Poll } from '@atrium/proto-events/http/chat/message-parts';
import { expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { newer } from './merge-messages.ts';

const T1 = '2026-11-20T09:10:00.000Z';
const T2 = '2026-11-20T09:20:00.000Z';
const EARLY = '2026-11-20T09:30:00.000Z';
const LATE = '2026-11-20T09:40:00.000Z';

/** A poll with one option. A broadcast does not show what is the user's. */
const poll = (count: number, own?: { mine: boolean; votedAt: string | null }): Poll => ({
  question: 'Where?',
  options: [{ id: '1', text: 'Lisbon', count, users: [], ...(own && { mine: own.mine }) }],
  multiple: false,
  anonymous: true,
  voterCount: count,
  ...(own && { votedAt: own.votedAt }),
  closedAt: null,
});
const message = (updatedAt: string, shown: Poll) => buildMessage(1, { type: 'poll', updatedAt, poll: shown });
const read = (a: ReturnType<typeof message>, b: ReturnType<typeof message>) => {
  const option = newer(a, b).poll?.options[0];
  return [option?.count, option?.mine];
};

it('a vote of another user keeps whether the user has voted', () => {
  const own = message(EARLY, poll(1, { mine: true, votedAt: T1 }));
  const broadcast = message(LATE, poll(2));
  expect(read(own, broadcast)).toEqual([2, true]);
  expect(read(broadcast, own)).toEqual([2, true]);
});

it('votes of the user on several devices are shown as they were cast last, in any order of arrival', () => {
  const first = message(EARLY, poll(1, { mine: true, votedAt: T1 }));
  const second = message(LATE, poll(0, { mine: false, votedAt: T2 }));
  expect(read(first, second)).toEqual([0, false]);
  expect(read(second, first)).toEqual([0, false]);
  const third = newer(first, message(LATE, poll(3)));
  expect(read(third, message(EARLY, poll(1, { mine: false, votedAt: T2 })))).toEqual([3, false]);
});

it('a user who has not voted stays so after a broadcast', () => {
  const own = message(EARLY, poll(0, { mine: false, votedAt: null }));
  expect(read(own, message(LATE, poll(1)))).toEqual([1, false]);
});

it('a broadcast keeps the link to the original of a forwarded message', () => {
  const forwarded = { sender: buildUser('b'), content: 'Hi', mentions: buildMessage(1).mentions, createdAt: T1 };
  const link = { message: 'a'.repeat(24), conversation: 'b'.repeat(24) };
  const own = buildMessage(1, { forwarded: { ...forwarded, ...link } });
  const broadcast = buildMessage(1, { updatedAt: LATE, forwarded });
  expect(newer(own, broadcast).forwarded).toMatchObject(link);
  expect(newer(broadcast, own).forwarded).toMatchObject(link);
});
