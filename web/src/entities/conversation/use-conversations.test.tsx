import { afterEach, describe, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig, useQueryCache } from '#lib/query/swr-config.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { unread, useUnreadIn } from '#realtime/unread.ts';
import { startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withMessage, withoutConversation } from './conversation-edits.ts';
import { useConversation, useConversations } from './use-conversations.ts';
import { useConversationsOf } from './use-known-conversations.ts';
import { useProjectConversation } from './use-project-conversation.ts';
import { useUnreadTotal } from './use-unread-total.ts';

const TOTAL = 250;

let stop: () => Promise<void> = async () => undefined;

afterEach(() => stop());

/** Builds the n-th latest conversation. */
const conversation = (n: number) => ({
  _id: `c${n}`,
  version: 1,
  lastSeq: 3,
  lastReadSeq: 2,
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
  const { result } = renderHook(() => ({ list: useConversations(), cache: useQueryCache() }), { wrapper });
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

it('all conversations are loaded where they are needed', async () => {
  ({ stop } = await serveConversations());
  const { result } = renderHook(() => useConversations(true), { wrapper });
  await waitFor(() => expect(result.current.conversations).toHaveLength(TOTAL));
  expect(result.current.earlier.hasMore).toBe(false);
});

it('conversations that are not listed yet are found by their ids', async () => {
  ({ stop } = await serveConversations());
  const { result } = renderHook(
    () => {
      const listed = useConversations().conversations;
      return { listed, known: useConversationsOf(['c1', 'c240'], listed) };
    },
    { wrapper },
  );
  const find = (id: string) => result.current.known?.find(({ _id }) => _id === id);
  await waitFor(() => expect(find('c240')).toBeDefined());
  expect(find('c1')).toBeDefined();
  expect(result.current.listed).toHaveLength(100);
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
  const { cache } = result.current;
  act(() => cache.edit(withMessage(cache, buildMessage(4, { conversation: 'c150' }))));
  await waitFor(() => expect(result.current.list.conversations?.[0]?._id).toBe('c150'));
  await waitForCount(200);
});

it('the conversation list shows a message that arrived before a response that was requested earlier', async () => {
  const gate = Promise.withResolvers<void>();
  let requests = 0;
  ({ stop } = await startApi(async () => {
    requests += 1;
    const title = `response ${requests}`;
    if (requests === 2) await gate.promise;
    const data = [buildConversation({ title, lastSeq: 4, lastReadSeq: 4 })];
    return { status: 200, body: { data, total: 1, page: 1, totalPages: 1 } };
  }));
  const { result } = renderHook(() => ({ list: useConversations(), cache: useQueryCache(), refetch: useRefetch() }), {
    wrapper,
  });
  const { cache, refetch } = result.current;
  const current = () => result.current.list.conversations?.[0];
  await waitFor(() => expect(current()?.title).toBe('response 1'));
  act(() => refetch('/chat/conversations'));
  await waitFor(() => expect(requests).toBe(2));
  act(() => cache.edit(withMessage(cache, buildMessage(5))));
  gate.resolve();
  await waitFor(() => expect(current()).toMatchObject({ title: 'response 2', lastSeq: 5 }));
  expect(requests).toBe(2);
});

it('a conversation that is deleted is requested again, and then not available', async () => {
  let isDeleted = false;
  ({ stop } = await startApi(async () =>
    isDeleted
      ? { status: 404, body: { message: 'Conversation not found', code: 'not_found', requestId: 'r' } }
      : { status: 200, body: buildConversation() },
  ));
  const id = 'c'.repeat(24);
  const { result } = renderHook(() => ({ ...useConversation(id), cache: useQueryCache() }), { wrapper });
  await waitFor(() => expect(result.current.data?._id).toBe(id));
  isDeleted = true;
  act(() => result.current.cache.edit(withoutConversation(id)));
  expect(result.current.data).toBeUndefined();
  await waitFor(() => expect(result.current.error?.status).toBe(404));
  expect(result.current.data).toBeUndefined();
});

describe('unread counts', () => {
  const handlers = unread.eventsOf(() => 'f'.repeat(24));
  const receive = (seq: number) => handlers['message:new']({ message: buildMessage(seq, { conversation: 'c7' }) });

  it('are requested once, then follow events', async () => {
    const requests: string[] = [];
    act(() => signInAs(buildUser('a')));
    ({ stop } = await startApi(({ path }) => {
      requests.push(path);
      return { status: 200, body: { total: 3, threads: 0, unread: [{ conversation: 'c7', count: 3, lastSeq: 5 }] } };
    }));
    const { result } = renderHook(() => useUnreadTotal(), { wrapper });
    await waitFor(() => expect(result.current).toBe(3));
    act(() => receive(6));
    expect(result.current).toBe(4);
    act(() =>
      handlers['conversation:state']({
        conversation: 'c7',
        lastSeq: 6,
        lastReadSeq: 6,
        unreadCount: 0,
        readRevision: 0,
      }),
    );
    expect(result.current).toBe(0);
    expect(requests).toEqual(['/api/chat/unread']);
    act(() => signInAs(buildUser('b')));
    expect(result.current).toBe(0);
  });

  it('are the same in the list, in total, and on the page of a project', async () => {
    act(() => signInAs(buildUser('a')));
    const gate = Promise.withResolvers<void>();
    ({ stop } = await startApi(async ({ path }) => {
      if (path.endsWith('/unread')) {
        await gate.promise;
        return { status: 200, body: { total: 2, threads: 0, unread: [{ conversation: 'c7', count: 2, lastSeq: 3 }] } };
      }
      return { status: 200, body: { data: [conversation(7)], total: 1, page: 1, totalPages: 1 } };
    }));
    const { result } = renderHook(
      () => {
        const listed = useConversations().conversations?.[0];
        const onProject = useProjectConversation('p');
        return { counts: [useUnreadTotal(), useUnreadIn(listed), onProject?.unreadCount], onProject };
      },
      { wrapper },
    );
    await waitFor(() => expect(result.current.onProject).toBeDefined());
    await waitFor(() => expect(result.current.counts).toEqual([1, 1, 1]));
    act(() => receive(5));
    expect(result.current.counts).toEqual([3, 3, 3]);
    act(() => unread.recordSeen('c7', 4));
    expect(result.current.counts).toEqual([1, 1, 1]);
    gate.resolve();
    await act(() => gate.promise);
    act(() =>
      handlers['conversation:state']({
        conversation: 'c7',
        lastSeq: 5,
        lastReadSeq: 5,
        unreadCount: 0,
        readRevision: 0,
      }),
    );
    expect(result.current.counts).toEqual([0, 0, 0]);
  });
});
