import { afterEach, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { unread } from '#realtime/unread.ts';
import { useRefetch } from '#realtime/use-refetch.ts';
import { startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { createMessageBuffer, messageEvents } from './conversation-events.ts';
import { useConversations, useListChanges } from './use-conversations.ts';
import { useUnreadTotal } from './use-unread-total.ts';

const TOTAL = 250;

let stop: () => Promise<void> = async () => undefined;

afterEach(() => stop());

/** Builds the n-th latest conversation. */
const conversation = (n: number) => ({
  _id: `c${n}`,
  version: 1,
  unreadCount: 1,
  updatedAt: new Date(Date.UTC(2026, 0, 1) - n * 1_000).toISOString(),
});

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

function serveConversations(failsOn: { page: number | null } = { page: null }) {
  return startApi(({ path }) => {
    const page = Number(new URL(path, 'http://localhost').searchParams.get('page') ?? 1);
    if (page === failsOn.page) return { status: 404, body: { message: 'Not now', code: 'not_found', requestId: 'r' } };
    const conversations = Array.from({ length: TOTAL }, (_, n) => conversation(n));
    const data = conversations.slice((page - 1) * 100, page * 100);
    return { status: 200, body: { data, total: TOTAL, page, totalPages: 3 } };
  });
}

async function open(failsOn: { page: number | null } = { page: null }) {
  ({ stop } = await serveConversations(failsOn));
  const { result } = renderHook(() => ({ list: useConversations(), changes: useListChanges() }), { wrapper });
  const waitForCount = (count: number) => waitFor(() => expect(result.current.list.conversations).toHaveLength(count));
  const loadMore = () => act(() => result.current.list.earlier.load());
  await waitForCount(100);
  return { result, waitForCount, loadMore };
}

it('the conversation list loads 100 more conversations at a time until there are no more', async () => {
  const { result, waitForCount, loadMore } = await open();
  expect(result.current.list.earlier.hasMore).toBe(true);
  loadMore();
  await waitForCount(200);
  loadMore();
  await waitForCount(TOTAL);
  expect(result.current.list.earlier.hasMore).toBe(false);
});

it('the conversation list keeps its conversations when loading more fails, and retries', async () => {
  const failsOn: { page: number | null } = { page: 2 };
  const { result, waitForCount, loadMore } = await open(failsOn);
  loadMore();
  await waitFor(() => expect(result.current.list.earlier.error?.message).toBe('Not now'));
  expect(result.current.list.conversations).toHaveLength(100);
  failsOn.page = null;
  loadMore();
  await waitForCount(200);
});

it('the conversation list moves an older conversation to the top once when it becomes active', async () => {
  const { result, waitForCount, loadMore } = await open();
  loadMore();
  await waitForCount(200);
  const updatedAt = '2026-02-01T00:00:00.000Z';
  act(() => result.current.changes.update('c150', (conversation) => ({ ...conversation, updatedAt })));
  await waitFor(() => expect(result.current.list.conversations?.[0]?._id).toBe('c150'));
  await waitForCount(200);
});

/** Opens a list of one conversation with four messages, whose first or second response waits for the gate. */
async function openSlowly(slow: 1 | 2) {
  const gate = Promise.withResolvers<void>();
  let requests = 0;
  ({ stop } = await startApi(async () => {
    requests += 1;
    const title = `response ${requests}`;
    const data = [buildConversation({ title, lastSeq: 4, lastReadSeq: 4, unreadCount: 0 })];
    if (requests === slow) await gate.promise;
    return { status: 200, body: { data, total: 1, page: 1, totalPages: 1 } };
  }));
  const { result } = renderHook(
    () => ({ list: useConversations(), changes: useListChanges(), refetch: useRefetch() }),
    { wrapper },
  );
  const events = messageEvents({
    currentUserId: 'f'.repeat(24),
    lists: { ...result.current.changes, reload: () => undefined },
    buffer: createMessageBuffer(),
    isSeen: () => false,
  });
  const currentConversation = () => result.current.list.conversations?.[0];
  if (slow === 2) {
    await waitFor(() => expect(currentConversation()?.title).toBe('response 1'));
    act(() => result.current.refetch(() => true));
  }
  await waitFor(() => expect(requests).toBe(slow));
  return { gate, events, currentConversation, countRequests: () => requests };
}

it.each([1, 2] as const)(
  'the conversation list keeps newer messages when list response %i arrives late',
  async (slow) => {
    const { gate, events, currentConversation, countRequests } = await openSlowly(slow);
    for (const seq of [5, 6, 7]) act(() => events['message:new']({ message: buildMessage(seq) }));
    act(() =>
      events['message:deleted']({ conversation: 'c'.repeat(24), message: buildMessage(7)._id, seq: 7, revision: 1 }),
    );
    if (slow === 2) expect(currentConversation()).toMatchObject({ title: 'response 1', lastSeq: 7, unreadCount: 3 });
    gate.resolve();
    await waitFor(() => expect(currentConversation()?.title).toBe(`response ${slow}`));
    expect(currentConversation()).toMatchObject({
      lastSeq: 7,
      unreadCount: 3,
      lastMessage: { deleted: true, content: '' },
    });
    expect(countRequests()).toBe(slow);
  },
);

it('the conversation list does not re-render when an event changes nothing', async () => {
  const { events, currentConversation, gate } = await openSlowly(2);
  gate.resolve();
  await waitFor(() => expect(currentConversation()?.title).toBe('response 2'));
  const previous = currentConversation();
  act(() => events['message:new']({ message: buildMessage(4) }));
  act(() =>
    events['message:deleted']({ conversation: 'c'.repeat(24), message: buildMessage(3)._id, seq: 3, revision: 1 }),
  );
  expect(currentConversation()).toBe(previous);
});

it('useUnreadTotal requests the total unread count once, then updates it from events', async () => {
  const requests: string[] = [];
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    return { status: 200, body: { total: TOTAL, unread: [{ conversation: 'c7', count: 3, lastSeq: 5 }] } };
  }));
  const { result } = renderHook(() => useUnreadTotal(), { wrapper });
  await waitFor(() => expect(result.current).toBe(TOTAL));
  act(() => unread.record({ kind: 'received', conversation: 'c7', seq: 6 }));
  expect(result.current).toBe(TOTAL + 1);
  act(() => unread.record({ kind: 'read', conversation: 'c7', seq: 6 }));
  expect(result.current).toBe(TOTAL - 3);
  expect(requests).toEqual(['/api/chat/unread']);
  act(() => signInAs(buildUser('b')));
  expect(result.current).toBe(0);
});
