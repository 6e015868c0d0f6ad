import { beforeEach, expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chatEventHandlers } from './chat-event-handlers.ts';
import { threadLogId } from './log/log-id.ts';
import { withNewest } from './log/message-log.ts';
import { changeLog, logOf, messageStore } from './log/message-store.ts';

const ME = buildUser('f');
const conversation = 'c'.repeat(24);

beforeEach(() => {
  signInAs(buildUser('z'));
  signInAs(ME);
});

function openChat({ open = null as string | null, isVisible = true } = {}) {
  const reads: number[] = [];
  const ended: string[] = [];
  const members: string[] = [];
  /** Names by log. */
  const typists = new Map<string, string>();
  const events = chatEventHandlers({
    currentUserId: ME._id,
    open,
    isVisible: () => isVisible,
    store: messageStore,
    typing: {
      start: (logId, { name }) => void typists.set(logId, name),
      stop: (logId) => void typists.delete(logId),
    },
    onRead: (_conversation, seq) => void reads.push(seq),
    onGone: (_conversation, reason) => void ended.push(reason),
    onMembership: (kind, _conversation, user) => void members.push(`${user.firstName} ${kind}`),
  });
  return {
    events,
    receive: (seq: number, sender = buildUser('a')) =>
      events['message:new']?.({ message: buildMessage(seq, { conversation, sender }) }),
    reads,
    ended,
    members,
    typists,
  };
}

const load = (...seqs: number[]) =>
  changeLog(conversation, (log) =>
    withNewest(log, { data: seqs.map((seq) => buildMessage(seq, { conversation })), hasMore: true, revision: 0 }),
  );
const seqs = () => logOf(conversation).messages.map(({ seq }) => seq);

it('chatEventHandlers counts a message as read once its conversation is open, visible, and loaded', () => {
  const { receive, reads } = openChat({ open: conversation });
  receive(5);
  expect(reads).toEqual([]);
  load(5);
  receive(6);
  receive(7, ME);
  expect(reads).toEqual([6]);
  expect(seqs()).toEqual([5, 6, 7]);
});

it('chatEventHandlers reads nothing while the conversation is hidden or another one is open', () => {
  load(5);
  for (const chat of [openChat({ open: conversation, isVisible: false }), openChat({ open: 'd'.repeat(24) })]) {
    chat.receive(6);
    expect(chat.reads).toEqual([]);
  }
});

it('chatEventHandlers applies edits and deletions to cached messages', () => {
  const { events } = openChat();
  load(4, 5);
  events['message:updated']?.({ message: buildMessage(4, { conversation, content: 'edited' }), revision: 1 });
  events['message:deleted']?.({ conversation, message: buildMessage(5)._id, seq: 5, revision: 2 });
  expect(logOf(conversation)).toMatchObject({
    messages: [{ content: 'edited' }, { content: '', deleted: true }],
    revision: 2,
  });
});

it('chatEventHandlers ends typing with the message', () => {
  const { events, receive, typists } = openChat();
  events['typing:start']?.({ conversation, user: buildUser('a')._id, firstName: 'Ada' });
  expect([...typists]).toEqual([[conversation, 'Ada']]);
  receive(5);
  expect([...typists]).toEqual([]);
});

it('chatEventHandlers shows typing in a thread there only, until the reply or the end', () => {
  const { events, receive, typists } = openChat();
  const thread = 'd'.repeat(24);
  const [ada, bob] = [buildUser('a'), buildUser('b')];
  const start = () => events['typing:start']?.({ conversation, thread, user: ada._id, firstName: 'Ada' });
  start();
  events['typing:start']?.({ conversation, user: bob._id, firstName: 'Bob' });
  const inThread = [threadLogId(thread), 'Ada'];
  expect([...typists]).toEqual([inThread, [conversation, 'Bob']]);
  receive(5, bob);
  expect([...typists]).toEqual([inThread]);
  const reply = buildMessage(1, { conversation, sender: ada, thread: { root: thread } });
  events['thread:message']?.({ message: reply, thread: { lastSeq: 1, replyCount: 1 } });
  expect([...typists]).toEqual([]);
  start();
  events['typing:stop']?.({ conversation, thread, user: ada._id });
  expect([...typists]).toEqual([]);
});

it('chatEventHandlers drops the messages of a conversation that was deleted or left, and of no other', () => {
  const { events, ended } = openChat();
  const removal = (user: ReturnType<typeof buildUser>) => ({ conversation, removedUserId: user._id, user });
  load(4);
  events['conversation:participant_removed']?.(removal(buildUser('b')));
  expect(logOf(conversation).isLoaded).toBe(true);
  events['conversation:participant_removed']?.(removal(ME));
  expect(logOf(conversation).isLoaded).toBe(false);
  events['conversation:participant_removed']?.({ ...removal(buildUser('b')), left: true });
  events['conversation:participant_removed']?.({ ...removal(ME), left: true });
  load(4);
  events['conversation:deleted']?.({ conversation });
  expect(logOf(conversation).isLoaded).toBe(false);
  expect(ended).toEqual(['removed', 'left', 'deleted']);
});

it('chatEventHandlers reloads a conversation that missed a message while another was open', () => {
  const { receive, events } = openChat();
  load(4);
  receive(5);
  expect(seqs()).toEqual([4, 5]);
  for (let seq = 7; seq < 200; seq += 1) receive(seq);
  expect(logOf(conversation)).toMatchObject({ isLoaded: false, ahead: [], messages: [] });
  load(199);
  events['message:updated']?.({ message: buildMessage(201, { conversation }), revision: 1 });
  expect(logOf(conversation)).toMatchObject({ isLoaded: false, ahead: [] });
});

it('chatEventHandlers reports others who join and leave the open conversation', () => {
  const other = 'd'.repeat(24);
  const { events, members } = openChat({ open: conversation });
  for (const id of [conversation, other])
    for (const user of [ME, buildUser('b')]) {
      events['conversation:participant_added']?.({ conversation: id, addedUserId: user._id, user });
      const removal = { conversation: id, removedUserId: user._id, user };
      events['conversation:participant_removed']?.(removal);
      events['conversation:participant_removed']?.({ ...removal, left: true });
    }
  expect(members).toEqual(['B added to', 'B removed from', 'B left']);
});

it('chatEventHandlers shows that the message was saved on another device', () => {
  const { events } = openChat();
  load(4);
  const [message] = logOf(conversation).messages;
  for (const saved of [true, false]) {
    events['message:saved']?.({ conversation, message: message?._id ?? '', saved });
    expect(logOf(conversation).messages.map((shown) => shown.saved)).toEqual([saved]);
  }
});
