import type { Reaction } from '@atrium/proto-events/http/chat/reactions';
import type { Reacted } from '@atrium/proto-events/realtime';
import { beforeEach, expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chatEventHandlers } from '../chat-event-handlers.ts';
import { withNewest } from './message-log.ts';
import { changeLog, logOf, messageStore } from './message-store.ts';

const ME = buildUser('f');
const conversation = 'c'.repeat(24);
const ten = [...'0123456789'].map((digit) => buildUser(digit));
const time = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();

beforeEach(() => {
  signInAs(buildUser('z'));
  signInAs(ME);
});

const load = (...reactions: Reaction[]) =>
  changeLog(conversation, (log) =>
    withNewest(log, { data: [buildMessage(1, { conversation, reactions })], hasMore: false, revision: 0 }),
  );

const noop = () => undefined;

const events = () =>
  chatEventHandlers({
    currentUserId: ME._id,
    open: conversation,
    isVisible: () => true,
    store: messageStore,
    typing: { start: noop, stop: noop },
    onRead: noop,
    onGone: noop,
    onMembership: noop,
  });

/** Receives the message with reactions as a broadcast contains them, in the order of `revision`. */
function receive(revision: number, reactions: Reaction[], reacted?: Reacted): void {
  const message = buildMessage(1, { conversation, reactions, updatedAt: time(revision) });
  events()['message:updated']?.({ message, revision, ...(reacted && { reacted }) });
}

const shown = () => logOf(conversation).messages[0]?.reactions.map(({ emoji, count, mine }) => [emoji, count, mine]);

it('a broadcast reaction is the own one if the user is listed', () => {
  load();
  receive(1, [
    { emoji: '👍', count: 2, users: [buildUser('a'), ME] },
    { emoji: '🎉', count: 1, users: [buildUser('a')] },
  ]);
  expect(shown()).toEqual([
    ['👍', 2, true],
    ['🎉', 1, false],
  ]);
});

it('a broadcast reaction of more users than are listed keeps whether the user is one of them', () => {
  load({ emoji: '👍', count: 11, mine: true, users: ten }, { emoji: '🎉', count: 11, mine: false, users: ten });
  receive(1, [
    { emoji: '👍', count: 12, users: ten },
    { emoji: '🎉', count: 12, users: ten },
  ]);
  expect(shown()).toEqual([
    ['👍', 12, true],
    ['🎉', 12, false],
  ]);
});

it('a broadcast reaction of more users than are listed follows the own change on another device', () => {
  load({ emoji: '👍', count: 11, mine: false, users: ten });
  receive(1, [{ emoji: '👍', count: 12, users: ten }], { user: ME._id, emoji: '👍', isAdded: true });
  expect(shown()).toEqual([['👍', 12, true]]);
  receive(2, [{ emoji: '👍', count: 13, users: ten }], { user: ten[0]?._id ?? '', emoji: '👍', isAdded: true });
  expect(shown()).toEqual([['👍', 13, true]]);
  receive(3, [{ emoji: '👍', count: 12, users: ten }], { user: ME._id, emoji: '👍', isAdded: false });
  expect(shown()).toEqual([['👍', 12, false]]);
});

it('a deleted message has no reactions', () => {
  load({ emoji: '👍', count: 1, mine: true, users: [ME] });
  events()['message:deleted']?.({ conversation, message: buildMessage(1)._id, seq: 1, revision: 1 });
  expect(shown()).toEqual([]);
});
