import { afterEach, expect, it, jest } from '@jest/globals';
import { followUnconnected } from '../../test/follow-unconnected.ts';
import { errorFromResponse, networkError } from '../lib/api/api-error.ts';
import { createListeners } from '../lib/listeners.ts';
import { QueryCache } from '../lib/query/query-cache.ts';
import { createRefetch } from './refetch.ts';

const [FIGURES, GONE, UNSEEN] = ['/departments/stats', '/departments/none', '/projects/stats'];
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const fine = { hasFailed: false, retryAfterMs: 0 };

function asking(answers: QueryCache) {
  const asked: string[] = [];
  const refresh = createRefetch(answers, {
    // Like SWR, which refetches only observed keys.
    refetchKey: async (key) => {
      if (answers.isObserved(key)) asked.push(key);
      return fine;
    },
    fetchItems: async () => ({ items: null, ...fine }),
    show: () => undefined,
    isVisible: () => true,
    onceVisible: () => undefined,
  });
  return { asked, refresh };
}

afterEach(() => void jest.useRealTimers());

it('refetches failed queries as soon as the sockets reconnect', async () => {
  jest.useFakeTimers();
  const [cache, connects] = [new QueryCache(), createListeners()];
  const { asked, refresh: refetch } = asking(cache);
  const stop = followUnconnected({ refetch, cache, connects });
  for (const key of [FIGURES, GONE]) cache.observe(key);
  for (const key of [FIGURES, UNSEEN]) cache.set(key, { error: networkError() });
  cache.set(GONE, { error: errorFromResponse(404, null) });
  connects.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([FIGURES]);
  // A request in flight is awaited.
  const { finish } = cache.startRequest(FIGURES);
  await jest.advanceTimersByTimeAsync(60_000);
  connects.notify();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([FIGURES]);
  finish(true);
  stop();
});

it('refetches conversations after an own read only when an outdated response has reset it', async () => {
  jest.useFakeTimers();
  const [me, conversation] = ['a'.repeat(24), 'c'.repeat(24)];
  const answers = new QueryCache();
  const { asked, refresh: refetch } = asking(answers);
  const listens = new Map<string, (payload: unknown) => void>();
  const stop = followUnconnected({ refetch, cache: answers, me, on: (name, listen) => void listens.set(name, listen) });
  const readUpTo = (lastReadSeq: number) => ({ data: { data: [{ _id: conversation, lastReadSeq }], total: 1 } });
  const tell = async (seq: number) => {
    listens.get('message:read')?.({ conversation, user: me, seq });
    await jest.advanceTimersByTimeAsync(5_000);
  };
  answers.observe(CONVERSATIONS);
  answers.set(CONVERSATIONS, readUpTo(58));
  await tell(58);
  expect(asked).toEqual([]);
  // In flight when the read arrives, and sent before the server had processed it.
  const { finish } = answers.startRequest(CONVERSATIONS);
  await tell(58);
  answers.set(CONVERSATIONS, readUpTo(57));
  finish(true);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([CONVERSATIONS]);
  answers.set(CONVERSATIONS, readUpTo(58));
  await tell(60);
  expect(asked).toEqual([CONVERSATIONS, CONVERSATIONS]);
  stop();
});
