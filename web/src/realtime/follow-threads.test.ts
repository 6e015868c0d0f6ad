import type { Thread } from '@atrium/proto-events/http/chat/messages';
import type { ThreadState } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryCache } from '#lib/query/query-cache.ts';
import { buildUser } from '#test/build-user.ts';
import type { ChatSocket, LiveSocket } from './connection/socket.ts';
import { followThreads } from './follow-threads.ts';
import { NOTHING_UNREAD } from './read-states.ts';
import { createUnread } from './unread.ts';

const ME = buildUser('a');
const ROOT = 'f'.repeat(24);
const LOOKUP = `/chat/messages/${ROOT}/thread?limit=1`;
const UNREAD = '/chat/unread';

type Listener = (payload: unknown) => void;

/** A socket with one listener per event, whose events come from the test. */
function buildSocket() {
  const listeners = new Map<string, Listener>();
  return {
    on: (name: string, listener: Listener) => void listeners.set(name, listener),
    off: (name: string) => void listeners.delete(name),
    emit: (name: string, payload: unknown) => listeners.get(name)?.(payload),
  };
}

function start() {
  const cache = new QueryCache();
  cache.set(UNREAD, { data: { total: 0, threads: 0, unread: [] } });
  const staleKeys: string[] = [];
  cache.onStale((key) => void staleKeys.push(key));
  let states = NOTHING_UNREAD;
  const unread = createUnread({
    owner: () => ME._id,
    get: () => states,
    change(_owner, edit) {
      states = edit(states);
      return states;
    },
  });
  const chat = buildSocket();
  const live = buildSocket();
  const requests: string[] = [];
  const server: { thread: Thread | null } = { thread: null };
  const stop = followThreads({
    cache,
    chat: chat as unknown as ChatSocket,
    live: live as unknown as LiveSocket,
    unread,
    async read(path) {
      requests.push(path);
      return { root: { _id: ROOT, thread: server.thread } };
    },
  });
  return {
    unread,
    requests,
    server,
    staleKeys,
    stop,
    reply: (lastSeq: number) => chat.emit('thread:reply', { conversation: 'c'.repeat(24), root: ROOT, lastSeq }),
    state: (overrides: Partial<ThreadState>) =>
      chat.emit('thread:read', {
        conversation: 'c'.repeat(24),
        root: ROOT,
        followed: true,
        lastSeq: 1,
        lastReadSeq: 1,
        unreadCount: 0,
        ...overrides,
      }),
    announce: (version: number) =>
      live.emit('changed', { changes: [{ resource: 'reply', id: ROOT, action: 'created', version, tags: [] }] }),
  };
}

let threads: ReturnType<typeof start>;

beforeEach(() => {
  jest.useFakeTimers();
  threads = start();
});
afterEach(() => {
  threads.stop();
  jest.useRealTimers();
});

const advance = () => jest.advanceTimersByTimeAsync(10_000);

describe('a reply in a thread that is not known', () => {
  it('looks up its state once, however many replies arrive', async () => {
    threads.server.thread = { followed: false, lastSeq: 2, unreadCount: 0 };
    threads.reply(1);
    threads.reply(2);
    await advance();
    threads.reply(3);
    await advance();
    expect(threads.requests).toEqual([LOOKUP]);
    expect(threads.unread.readsOf(ROOT)).toMatchObject({ isFollowed: false, unreadCount: 0 });
    expect(threads.staleKeys).toEqual([]);
  });

  it('requests the total again if the user follows it, and counts the next one itself', async () => {
    threads.server.thread = { followed: true, lastSeq: 1, unreadCount: 1 };
    threads.reply(1);
    await advance();
    expect(threads.staleKeys).toEqual([UNREAD]);
    threads.reply(2);
    await advance();
    expect(threads.requests).toEqual([LOOKUP]);
    expect(threads.unread.readsOf(ROOT).unreadCount).toBe(2);
  });

  it('is not looked up if it is only announced, as to those who do not follow it', async () => {
    threads.announce(1);
    await advance();
    expect(threads.requests).toEqual([]);
  });
});

it('a reply whose event was lost is looked up, and one that arrived is not', async () => {
  threads.state({ lastSeq: 1 });
  threads.announce(2);
  threads.reply(2);
  await advance();
  expect(threads.requests).toEqual([]);
  threads.server.thread = { followed: true, lastSeq: 3, unreadCount: 2 };
  threads.announce(3);
  await advance();
  expect(threads.requests).toEqual([LOOKUP]);
  expect(threads.unread.readsOf(ROOT).unreadCount).toBe(2);
});

it('a read on another device is applied, and the total is requested again', () => {
  threads.state({ lastSeq: 4, unreadCount: 2, lastReadSeq: 2 });
  threads.state({ lastSeq: 4, unreadCount: 0, lastReadSeq: 4 });
  expect(threads.unread.readsOf(ROOT).unreadCount).toBe(0);
  expect(new Set(threads.staleKeys)).toEqual(new Set([UNREAD]));
});
