import { afterEach, expect, it, jest } from '@jest/globals';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';
import { createListeners } from '#lib/listeners.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { runLiveSyncDisconnected } from '../../test/run-live-sync-disconnected.ts';
import { createRefetch } from './refetch.ts';

const STATS = '/departments/stats';
const DELETED = '/departments/none';
const UNOBSERVED = '/projects/stats';
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const success = { hasFailed: false, retryAfterMs: 0 };

function setUp(cache: QueryCache) {
  const requests: string[] = [];
  const refetch = createRefetch(cache, {
    // Refetches only observed keys, as SWR does.
    revalidate: async (key) => {
      if (cache.isObserved(key)) requests.push(key);
      return success;
    },
    fetchItems: async () => ({ items: null, ...success }),
    show: () => undefined,
    isVisible: () => true,
    onceVisible: () => undefined,
  });
  return { requests, refetch };
}

afterEach(() => void jest.useRealTimers());

it('followChanges refetches failed queries as soon as the sockets reconnect', async () => {
  jest.useFakeTimers();
  const cache = new QueryCache();
  const connects = createListeners();
  const { requests, refetch } = setUp(cache);
  const stop = runLiveSyncDisconnected({ refetch, cache, connects });
  for (const key of [STATS, DELETED]) cache.observe(key);
  for (const key of [STATS, UNOBSERVED]) cache.set(key, { error: networkError() });
  cache.set(DELETED, { error: errorFromResponse(404, null) });
  connects.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(requests).toEqual([STATS]);
  // `followChanges` awaits a request in flight.
  const { finish } = cache.startRequest(STATS);
  await jest.advanceTimersByTimeAsync(60_000);
  connects.notify();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(requests).toEqual([STATS]);
  finish(true);
  stop();
});

it("followChanges refetches conversations after the user's read only when an outdated response has reset it", async () => {
  jest.useFakeTimers();
  const me = 'a'.repeat(24);
  const conversation = 'c'.repeat(24);
  const cache = new QueryCache();
  const { requests, refetch } = setUp(cache);
  const listeners = new Map<string, (payload: unknown) => void>();
  const stop = runLiveSyncDisconnected({ refetch, cache, me, on: (name, listen) => void listeners.set(name, listen) });
  const readUpTo = (lastReadSeq: number) => ({ data: { data: [{ _id: conversation, lastReadSeq }], total: 1 } });
  const emitRead = async (seq: number) => {
    listeners.get('message:read')?.({ conversation, user: me, seq });
    await jest.advanceTimersByTimeAsync(5_000);
  };
  cache.observe(CONVERSATIONS);
  cache.set(CONVERSATIONS, readUpTo(58));
  await emitRead(58);
  expect(requests).toEqual([]);
  // A response in flight when the read arrives was sent before the server had processed the read.
  const { finish } = cache.startRequest(CONVERSATIONS);
  await emitRead(58);
  cache.set(CONVERSATIONS, readUpTo(57));
  finish(true);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(requests).toEqual([CONVERSATIONS]);
  cache.set(CONVERSATIONS, readUpTo(58));
  await emitRead(60);
  expect(requests).toEqual([CONVERSATIONS, CONVERSATIONS]);
  stop();
});
