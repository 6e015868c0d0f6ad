import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type { State } from 'swr';
import { initCache } from 'swr/_internal';
import { createMessageBuffer } from '#entities/conversation/conversation-events.ts';
import { type List, listChanges, pageKey } from '#entities/conversation/conversation-list-cache.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chatEventHandlers } from './chat-event-handlers.ts';
import { withNewest } from './log/message-log.ts';
import { changeLog, logOf, messageStore } from './log/message-store.ts';
import { clearTyping, recordTyping } from './typing-line.tsx';

function openChat(open: string | null = null) {
  const conversation = buildConversation({ lastSeq: 4, lastReadSeq: 4, unreadCount: 0 });
  const cache = new Map<string, State<unknown>>();
  // SWR needs the key of this entry to find what an in-place change affects.
  const cachedPage = { data: { data: [conversation], total: 1, page: 1, totalPages: 1 }, _k: pageKey(1) };
  cache.set(pageKey(1), cachedPage);
  const mutate = initCache(cache)?.[1];
  if (!mutate) throw new Error('Failed to initialize the cache');
  const reloads: string[] = [];
  const reads: number[] = [];
  const events = chatEventHandlers({
    currentUserId: 'f'.repeat(24),
    open,
    isVisible: () => true,
    store: messageStore,
    typing: { start: recordTyping, stop: clearTyping },
    lists: { ...listChanges({ cache, mutate }), reload: () => void reloads.push('lists') },
    buffer: createMessageBuffer(20),
    onRead: (_conversation, seq) => void reads.push(seq),
    onGone: () => undefined,
    onMembership: () => undefined,
  });
  return {
    cache,
    events,
    receive: (seq: number) =>
      events['message:new']?.({ message: buildMessage(seq, { conversation: conversation._id }) }),
    listed: () => (cache.get(pageKey(1))?.data as List | undefined)?.data[0],
    reloads,
    reads,
  };
}

it('chatEventHandlers clears the content of a deleted last message without a request', () => {
  const { receive, events, listed, reloads } = openChat();
  receive(5);
  receive(6);
  events['message:deleted']?.({ conversation: 'c'.repeat(24), message: buildMessage(5)._id, seq: 5, revision: 1 });
  expect(listed()?.lastMessage?.content).toBe('message 6');
  events['message:deleted']?.({ conversation: 'c'.repeat(24), message: buildMessage(6)._id, seq: 6, revision: 2 });
  expect(listed()?.lastMessage).toMatchObject({ content: '', deleted: true });
  expect(listed()).toMatchObject({ lastSeq: 6, unreadCount: 2 });
  expect(reloads).toEqual([]);
});

it('chatEventHandlers keeps newer messages and read positions when an older copy of the conversation has a new title', () => {
  const { receive, events, listed } = openChat();
  receive(5);
  events['message:read']?.({ conversation: 'c'.repeat(24), user: 'f'.repeat(24), seq: 5 });
  const {
    abilities,
    lastReadSeq: _read,
    unreadCount: _unread,
    ...shared
  } = buildConversation({ title: 'new', version: 2 });
  events['conversation:updated']?.({ conversation: { ...shared, lastSeq: 4 } });
  expect(listed()).toMatchObject({ title: 'new', version: 2, lastSeq: 5, lastReadSeq: 5, unreadCount: 0, abilities });
});

it("chatEventHandlers applies the user's own abilities if a broadcast includes them", () => {
  const { events, listed } = openChat();
  const { abilities, lastReadSeq, unreadCount, ...shared } = buildConversation({ version: 2, lastSeq: 4 });
  const personal = { abilities: { ...abilities, manageParticipants: true }, lastReadSeq, unreadCount };
  events['conversation:updated']?.({ conversation: shared, personal });
  expect(listed()?.abilities.manageParticipants).toBe(true);
});

it('chatEventHandlers does not count messages of an open conversation as seen while they fail to load or are loading', () => {
  signInAs(buildUser('f'));
  const open = 'c'.repeat(24);
  const { receive, listed, reads } = openChat(open);
  receive(5);
  expect(listed()).toMatchObject({ lastSeq: 5, lastReadSeq: 4, unreadCount: 1 });
  changeLog(open, (log) =>
    withNewest(log, { data: [buildMessage(5, { conversation: open })], hasMore: true, revision: 0 }),
  );
  receive(6);
  expect(listed()).toMatchObject({ lastSeq: 6, lastReadSeq: 6 });
  expect(reads).toEqual([6]);
});

it('chatEventHandlers counts new messages as unread without a request', () => {
  const { receive, listed, reloads } = openChat();
  receive(5);
  receive(6);
  expect(listed()).toMatchObject({ lastSeq: 6, unreadCount: 2 });
  expect(reloads).toEqual([]);
});

it('chatEventHandlers counts out-of-order messages as unread, in sequence, without a request', async () => {
  const { receive, events, listed, reloads } = openChat();
  receive(7);
  receive(6);
  events['message:deleted']?.({ conversation: 'c'.repeat(24), message: buildMessage(7)._id, seq: 7, revision: 1 });
  events['message:updated']?.({ message: buildMessage(7, { content: 'outdated' }), revision: 2 });
  events['message:updated']?.({ message: buildMessage(6, { content: 'edited' }), revision: 3 });
  expect(listed()).toMatchObject({ lastSeq: 4, unreadCount: 0 });
  receive(5);
  expect(listed()).toMatchObject({ lastSeq: 7, unreadCount: 3, lastMessage: { seq: 7, content: '', deleted: true } });
  await sleep(60);
  expect(reloads).toEqual([]);
});

it('chatEventHandlers refetches the lists if a missing message does not arrive, because the unread count is then unknown', async () => {
  const { receive, listed, reloads } = openChat();
  receive(6);
  receive(7);
  await waitFor(() => expect(reloads).toEqual(['lists']));
  expect(listed()).toMatchObject({ lastSeq: 7, unreadCount: 2 });
  receive(5);
  await sleep(60);
  expect(reloads).toEqual(['lists']);
  expect(listed()).toMatchObject({ lastSeq: 7, unreadCount: 2 });
});

it('chatEventHandlers stores nothing for a deleted conversation that was not open', () => {
  const { cache, events, listed } = openChat();
  events['conversation:deleted']?.({ conversation: 'c'.repeat(24) });
  expect(listed()).toBeUndefined();
  expect([...cache.keys()]).toEqual([pageKey(1)]);
});

it('chatEventHandlers reloads a conversation that missed a message while another was open', () => {
  const { receive, events } = openChat();
  signInAs(buildUser('f'));
  const conversation = 'c'.repeat(24);
  changeLog(conversation, (log) => withNewest(log, { data: [buildMessage(4)], hasMore: true, revision: 0 }));
  receive(5);
  expect(logOf(conversation).messages.map(({ seq }) => seq)).toEqual([4, 5]);
  for (let seq = 7; seq < 200; seq += 1) receive(seq);
  expect(logOf(conversation)).toMatchObject({ isLoaded: false, ahead: [], messages: [] });
  changeLog(conversation, (log) => withNewest(log, { data: [buildMessage(199)], hasMore: true, revision: 0 }));
  events['message:updated']?.({ message: buildMessage(201, { conversation }), revision: 1 });
  expect(logOf(conversation)).toMatchObject({ isLoaded: false, ahead: [] });
});
