import type { Change, ChatServerEvents } from '@atrium/proto-events/realtime';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Manager } from 'socket.io-client';
import { QueryCache } from '#lib/query/query-cache.ts';
import type { ChatSocket } from '#realtime/connection/socket.ts';
import { applyChanges } from '#realtime/live-changes.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { type List, pageKey } from './conversation-edits.ts';
import { followConversations } from './follow-conversations.ts';

const ME = buildUser('e');
const LIST = pageKey(1);
const PROJECT_LIST = '/chat/conversations?limit=1&people=1&project=d';
const conversation = buildConversation({ lastSeq: 4, lastReadSeq: 4, participants: [ME, buildUser('b')] });
const ID = conversation._id;
const OTHER = 'd'.repeat(24);
const ITEM = `/chat/conversations/${ID}`;

let cache: QueryCache;
let staleKeys: string[];
let chat: ChatSocket;
let stop: () => void;

const page = (...data: ReturnType<typeof buildConversation>[]): List => ({
  data,
  total: data.length,
  page: 1,
  totalPages: 1,
});

beforeEach(() => {
  cache = new QueryCache();
  cache.show = (key, data) => void cache.set(key, { data });
  staleKeys = [];
  cache.onStale((key) => void staleKeys.push(key));
  for (const key of [LIST, PROJECT_LIST]) cache.set(key, { data: page(conversation) });
  cache.set(ITEM, { data: conversation });
  chat = new Manager('http://localhost', { autoConnect: false }).socket('/chat');
  stop = followConversations({ cache, chat, me: () => ME._id });
});

type Payload<Name extends keyof ChatServerEvents> = Parameters<ChatServerEvents[Name]>[0];

function emit<Name extends keyof ChatServerEvents>(name: Name, payload: Payload<Name>): void {
  for (const listener of chat.listenersAny()) listener(name, payload);
}

const receive = (seq: number, conversation = ID) =>
  emit('message:new', { message: buildMessage(seq, { conversation }) });
const listed = (key = LIST) => (cache.get(key)?.data as List | undefined)?.data ?? [];
const item = () => cache.get(ITEM)?.data;
const change = (overrides: Partial<Change>): Change => ({
  resource: 'conversation',
  id: ID,
  action: 'updated',
  version: 2,
  tags: ['conversations'],
  ...overrides,
});
const applyChange = (overrides: Partial<Change>) => applyChanges(cache, { changes: [change(overrides)] }, ME);

describe('messages in cached conversations', () => {
  it('are shown wherever the conversation is, without a request', () => {
    receive(5);
    for (const shown of [listed()[0], listed(PROJECT_LIST)[0], item()])
      expect(shown).toMatchObject({ lastSeq: 5, lastMessage: { content: 'message 5' } });
    expect(staleKeys).toEqual([]);
  });

  it('are edited and deleted, and stay deleted', () => {
    receive(6);
    receive(5);
    emit('message:updated', { message: buildMessage(5, { content: 'not the last one' }) });
    expect(listed()[0]?.lastMessage?.content).toBe('message 6');
    emit('message:updated', { message: buildMessage(6, { content: 'edited' }) });
    expect(listed()[0]?.lastMessage?.content).toBe('edited');
    emit('message:deleted', { conversation: ID, message: buildMessage(6)._id, seq: 6 });
    emit('message:updated', { message: buildMessage(6, { content: 'late' }) });
    expect(listed()[0]?.lastMessage).toMatchObject({ content: '', deleted: true });
  });

  it('change nothing if they are known', () => {
    receive(5);
    const before = cache.get(LIST)?.data;
    receive(5);
    receive(4);
    emit('message:deleted', { conversation: ID, message: buildMessage(4)._id, seq: 4 });
    expect(cache.get(LIST)?.data).toBe(before);
  });

  it('request the first page if no page contains their conversation', () => {
    cache.set(pageKey(2), { data: page(buildConversation({ _id: OTHER })) });
    cache.observe(pageKey(2));
    receive(7, OTHER);
    expect(staleKeys).toEqual([]);
    expect(listed(pageKey(2))[0]?.lastSeq).toBe(7);
    receive(1, 'f'.repeat(24));
    expect(staleKeys).toEqual([LIST]);
  });

  it('request the first page if only a page that is no longer shown contains their conversation', () => {
    cache.set(pageKey(2), { data: page(buildConversation({ _id: OTHER })) });
    receive(7, OTHER);
    expect(staleKeys).toEqual([LIST]);
    expect(listed(pageKey(2))[0]?.lastSeq).toBe(7);
  });

  it('request the first page if its response in flight lacks their conversation', () => {
    const { succeed } = cache.startRequest(LIST);
    receive(7, OTHER);
    expect(staleKeys).toEqual([]);
    succeed(page(conversation));
    expect(staleKeys).toEqual([LIST]);
  });

  it('are not lost when a response from before them arrives later', () => {
    const { succeed } = cache.startRequest(LIST);
    receive(5);
    emit('message:deleted', { conversation: ID, message: buildMessage(5)._id, seq: 5 });
    expect(succeed(page(conversation))).toMatchObject({ data: [{ lastSeq: 5, lastMessage: { deleted: true } }] });
    expect(staleKeys).toEqual([]);
  });

  it('change nothing where a response has failed', () => {
    const failedCache = new QueryCache();
    failedCache.set(LIST, { error: new Error('Not now') });
    failedCache.set(ITEM, { error: new Error('Not now') });
    failedCache.onStale((key) => void staleKeys.push(key));
    stop();
    stop = followConversations({ cache: failedCache, chat, me: () => ME._id });
    receive(5);
    emit('conversation:new', { conversation });
    emit('conversation:deleted', { conversation: ID });
    expect(failedCache.get(LIST)).toEqual({ error: new Error('Not now') });
    expect(staleKeys).toEqual([]);
  });

  it('are ignored after the user has signed out', () => {
    stop();
    receive(5);
    expect(listed()[0]?.lastSeq).toBe(4);
  });
});

describe('changes of cached conversations', () => {
  const { abilities: _, lastReadSeq: __, unreadCount: ___, ...shared } = conversation;
  const broadcast = { ...shared, title: 'renamed', participants: [ME], participantCount: 2, version: 2 };

  it('are shown from the broadcast, without requesting lists', () => {
    emit('conversation:updated', { conversation: broadcast });
    expect(listed()[0]).toMatchObject({ title: 'renamed', participants: [ME], abilities: conversation.abilities });
    applyChange({});
    // It has only the first participants.
    expect(staleKeys).toEqual([ITEM]);
    expect(item()).toMatchObject({ title: 'renamed', participants: conversation.participants });
  });

  it('are requested if the broadcast was lost', () => {
    applyChange({});
    expect(staleKeys.sort()).toEqual([ITEM, LIST, PROJECT_LIST].sort());
  });

  it('add a new conversation to the first page once', () => {
    const added = buildConversation({ _id: OTHER });
    emit('conversation:new', { conversation: added });
    emit('conversation:new', { conversation: added });
    expect(listed().map(({ _id }) => _id)).toEqual([OTHER, ID]);
    expect(cache.get(LIST)?.data).toMatchObject({ total: 2 });
    expect(listed(PROJECT_LIST)).toHaveLength(1);
    applyChange({ id: OTHER, action: 'created', version: 1 });
    expect(staleKeys).toEqual([PROJECT_LIST]);
  });

  it.each([
    ['deleted', () => emit('conversation:deleted', { conversation: ID })],
    ['left', () => emit('conversation:participant_removed', { conversation: ID, removedUserId: ME._id, user: ME })],
  ])('remove a conversation that was %s, also from a response in flight', (_name, remove) => {
    const { succeed } = cache.startRequest(PROJECT_LIST);
    remove();
    expect(cache.get(LIST)?.data).toMatchObject({ data: [], total: 0 });
    expect(succeed(page(conversation))).toMatchObject({ data: [] });
    expect(item()).toBeUndefined();
    expect(staleKeys).toEqual([ITEM]);
  });

  it('keep a conversation that someone else has left', () => {
    const user = buildUser('b');
    emit('conversation:participant_removed', { conversation: ID, removedUserId: user._id, user });
    expect(listed()).toHaveLength(1);
  });
});
