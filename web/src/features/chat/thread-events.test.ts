import type { Message, Thread } from '@atrium/proto-events/http/chat/messages';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chatEventHandlers } from './chat-event-handlers.ts';
import { threadLogId } from './log/log-id.ts';
import { withNewest } from './log/message-log.ts';
import { messageStore } from './log/message-store.ts';
import { conversationOfThread, recordRoot } from './log/thread-roots.ts';

const ROOT = buildMessage(7, { _id: 'f'.repeat(24) });
const LOG = threadLogId(ROOT._id);
const ben = buildUser('b');
const { logOf, changeLog } = messageStore;

let read: [string, number][] = [];
let openThread: string | null = null;

const handle = () =>
  chatEventHandlers({
    currentUserId: buildUser('a')._id,
    open: ROOT.conversation,
    openThread,
    isVisible: () => true,
    store: messageStore,
    typing: { start: () => undefined, stop: () => undefined },
    onRead: (id, seq) => read.push([id, seq]),
    onGone: () => undefined,
    onMembership: () => undefined,
  });

const buildReply = (seq: number, overrides: Partial<Message> = {}) =>
  buildMessage(seq, {
    _id: `e${String(seq).padStart(23, '0')}`,
    sender: ben,
    thread: { root: ROOT._id },
    ...overrides,
  });
const threadOf = (lastSeq: number): Thread => ({ lastSeq, replyCount: lastSeq, people: [ben] });
const load = (id: string, ...messages: Message[]) =>
  changeLog(id, (log) => withNewest(log, { data: messages, hasMore: false, revision: 0 }));

beforeEach(() => {
  act(() => signInAs(buildUser('a')));
  read = [];
  openThread = null;
  load(ROOT.conversation, ...Array.from({ length: 6 }, (_, n) => buildMessage(n + 1)), ROOT);
  load(LOG, buildReply(1));
});
afterEach(() => messageStore.deleteLogs(ROOT.conversation));

const shownRoot = () => logOf(ROOT.conversation).messages.at(-1);

it('a reply is added to its thread, and shown at its root, but not in the conversation', () => {
  handle()['thread:message']?.({ message: buildReply(2), thread: threadOf(2), revision: 1 });
  expect(logOf(LOG).messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(logOf(ROOT.conversation).messages).toHaveLength(7);
  expect(shownRoot()?.thread).toMatchObject({ lastSeq: 2, replyCount: 2 });
  expect(logOf(ROOT.conversation).revision).toBe(1);
});

it('an older state of a thread does not replace a newer one', () => {
  handle()['thread:message']?.({ message: buildReply(3), thread: threadOf(3), revision: 1 });
  handle()['thread:message']?.({ message: buildReply(2), thread: threadOf(2), revision: 2 });
  handle()['message:updated']?.({ message: { ...ROOT, content: 'edited', thread: threadOf(2) }, revision: 3 });
  expect(shownRoot()).toMatchObject({ content: 'edited', thread: { lastSeq: 3 } });
});

it('a reply is read if its thread is open, and only in the thread', () => {
  handle()['thread:message']?.({ message: buildReply(2), thread: threadOf(2) });
  expect(read).toEqual([]);
  openThread = LOG;
  handle()['thread:message']?.({ message: buildReply(3), thread: threadOf(3) });
  expect(read).toEqual([[LOG, 3]]);
});

it('changes of replies are applied to the thread, not to the messages of the conversation with the same seqs', () => {
  const edited = buildReply(1, { content: 'edited', updatedAt: '2026-11-21T09:00:00.000Z' });
  handle()['message:updated']?.({ message: edited, revision: 1, thread: ROOT._id });
  expect(logOf(LOG).messages[0]?.content).toBe('edited');
  const deletion = { conversation: ROOT.conversation, message: edited._id, seq: 1, revision: 2, thread: ROOT._id };
  handle()['message:deleted']?.(deletion);
  expect(logOf(LOG).messages[0]?.deleted).toBe(true);
  expect(logOf(LOG).revision).toBe(2);
  expect(logOf(ROOT.conversation).messages[0]).toMatchObject({ content: 'message 1', deleted: false });
  expect(logOf(ROOT.conversation).revision).toBe(0);
});

it('the threads of a conversation that was left are dropped with it', () => {
  handle()['conversation:deleted']?.({ conversation: ROOT.conversation });
  expect([logOf(LOG).isLoaded, logOf(ROOT.conversation).isLoaded]).toEqual([false, false]);
});

it('a thread is forgotten with its conversation, also its root', () => {
  act(() => recordRoot()(ROOT));
  const removal = { conversation: ROOT.conversation, removedUserId: ben._id, user: ben };
  act(() => handle()['conversation:participant_removed']?.(removal));
  expect(conversationOfThread(ROOT._id)).toBe(ROOT.conversation);
  const own = { ...removal, removedUserId: buildUser('a')._id };
  act(() => handle()['conversation:participant_removed']?.(own));
  expect(conversationOfThread(ROOT._id)).toBeUndefined();
});
