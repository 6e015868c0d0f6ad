import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KEY, MAX_JITTER, startStaleRefetch } from '#test/stale-refetch.ts';
import { QueryCache } from './query-cache.ts';
import {
  INCOMPLETE_SPREAD_FACTOR,
  MAX_PAUSE_MS,
  MIN_PAUSE_MS,
  PAUSE_FACTOR,
  QUICK_REQUESTS,
  QUIET_MS,
  refetchStale,
} from './refetch-stale.ts';

const RESPONSE_MS = 100;

type Started = ReturnType<typeof startStaleRefetch>;

let cache: Started['cache'];
let requests: Started['requests'];
let server: Started['server'];
let page: Started['page'];
let pauses: Started['pauses'];
let staleRefetch: Pick<Started, 'spreadOver' | 'refetchNow'>;

beforeEach(() => {
  jest.useFakeTimers();
  ({ cache, requests, server, page, pauses, ...staleRefetch } = startStaleRefetch());
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a stale key', () => {
  it('is requested immediately, and once more when it changes during the request', async () => {
    cache.markStale(KEY);
    await advance(0);
    expect(requests).toHaveLength(1);
    for (let n = 0; n < 9; n += 1) {
      await advance(10);
      cache.markStale(KEY);
    }
    await advance(60_000);
    expect(requests).toHaveLength(2);
  });

  it('is requested soon when it changes again, and after a pause when it keeps changing', async () => {
    for (let n = 1; n <= QUICK_REQUESTS; n += 1) {
      cache.markStale(KEY);
      await advance(2 * RESPONSE_MS + 10);
      expect(requests).toHaveLength(n);
    }
    cache.markStale(KEY);
    await advance(MIN_PAUSE_MS - 2 * RESPONSE_MS);
    expect(requests).toHaveLength(QUICK_REQUESTS);
    await advance(MIN_PAUSE_MS);
    expect(requests).toHaveLength(QUICK_REQUESTS + 1);
    await advance(MIN_PAUSE_MS * MAX_JITTER + QUIET_MS);
    for (let n = 2; n <= QUICK_REQUESTS + 1; n += 1) {
      cache.markStale(KEY);
      await advance(2 * RESPONSE_MS + 10);
      expect(requests).toHaveLength(QUICK_REQUESTS + n);
    }
  });

  it('is requested immediately when it changes long after the response', async () => {
    cache.markStale(KEY);
    await advance(60_000);
    cache.markStale(KEY);
    await advance(0);
    expect(requests).toHaveLength(2);
  });

  it('is requested at the pace of its responses while it changes constantly, and after the last change', async () => {
    server.responseMs = 1_000;
    for (let n = 0; n < 3_000; n += 1) {
      cache.markStale(KEY);
      await advance(50);
    }
    const lastChangeAt = performance.now();
    await advance(60_000);
    const pauseMs = PAUSE_FACTOR * server.responseMs;
    const laterPauses = pauses().slice(QUICK_REQUESTS);
    expect(Math.min(...laterPauses)).toBeGreaterThanOrEqual(pauseMs);
    expect(Math.max(...laterPauses)).toBeLessThanOrEqual(pauseMs * MAX_JITTER + 50);
    expect(new Set(laterPauses.map(Math.round)).size).toBeGreaterThan(10);
    expect(requests.at(-1)?.at).toBeGreaterThanOrEqual(lastChangeAt - 50);
  });

  it('is requested in time although responses are very slow', async () => {
    server.responseMs = 8_000;
    for (let n = 0; n < 3_000; n += 1) {
      cache.markStale(KEY);
      await advance(50);
    }
    expect(Math.max(...pauses())).toBeLessThanOrEqual(MAX_PAUSE_MS * MAX_JITTER + 50);
  });

  it('shows every response while it changes constantly', async () => {
    const shownAt: number[] = [];
    cache.set = (key, state) => {
      shownAt.push(performance.now());
      return Map.prototype.set.call(cache, key, state) as QueryCache;
    };
    for (let n = 0; n < 600; n += 1) {
      cache.markStale(KEY);
      await advance(50);
    }
    expect(shownAt.length).toBeGreaterThan(30_000 / (MIN_PAUSE_MS * MAX_JITTER + RESPONSE_MS + 50) - 1);
  });

  it('does not delay other keys', async () => {
    const otherKey = '/users';
    cache.observe(otherKey);
    cache.markStale(KEY);
    await advance(RESPONSE_MS / 2);
    cache.markStale(otherKey);
    await advance(0);
    expect(requests.map(({ key }) => key)).toEqual([KEY, otherKey]);
  });

  it('is requested after the response to an earlier request, which SWR would discard', async () => {
    const { succeed } = cache.startRequest(KEY);
    await advance(10);
    cache.markStale(KEY);
    await advance(10_000);
    expect(requests).toEqual([]);
    succeed('earlier');
    await advance(0);
    expect(requests).toHaveLength(1);
  });

  it('is not requested when another request has succeeded since the change', async () => {
    staleRefetch.spreadOver(10_000);
    jest.spyOn(Math, 'random').mockReturnValueOnce(0.5);
    cache.markStale(KEY);
    await advance(10);
    cache.set(KEY, { data: cache.startRequest(KEY).succeed('current') });
    await advance(60_000);
    expect(requests).toEqual([]);
    cache.markStale(KEY);
    await advance(60_000);
    expect(requests).toHaveLength(1);
  });

  it('is not requested when another request, in flight since the change, succeeds', async () => {
    staleRefetch.spreadOver(1_000);
    jest.spyOn(Math, 'random').mockReturnValueOnce(0.5);
    cache.markStale(KEY);
    await advance(10);
    const { succeed } = cache.startRequest(KEY);
    await advance(10_000);
    cache.set(KEY, { data: succeed('current') });
    await advance(60_000);
    expect(requests).toEqual([]);
  });

  it('is requested once when the page becomes visible', async () => {
    page.isVisible = false;
    for (let n = 0; n < 20; n += 1) {
      cache.markStale(KEY);
      await advance(1_000);
    }
    expect(requests).toEqual([]);
    page.show();
    await advance(60_000);
    expect(requests).toHaveLength(1);
  });

  it('is requested later when only the end of a page is missing, unless it becomes stale', async () => {
    staleRefetch.spreadOver(1_000);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    cache.markStale(KEY, { isIncomplete: true });
    await advance(INCOMPLETE_SPREAD_FACTOR * 500 - 1);
    expect(requests).toEqual([]);
    await advance(1);
    expect(requests).toHaveLength(1);
    await advance(60_000);
    cache.markStale(KEY, { isIncomplete: true });
    cache.markStale(KEY);
    await advance(500);
    expect(requests).toHaveLength(2);
  });

  it('is not requested earlier when more of the end is missing', async () => {
    staleRefetch.spreadOver(1_000);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    cache.markStale(KEY);
    cache.markStale(KEY, { isIncomplete: true });
    await advance(500);
    expect(requests).toHaveLength(1);
  });

  it('is requested at a random time when the requests are spread', async () => {
    staleRefetch.spreadOver(20_000);
    const delays: number[] = [];
    for (let browser = 0; browser < 40; browser += 1) {
      const markedAt = performance.now();
      cache.markStale(KEY);
      for (let n = 0; n < 5; n += 1) {
        await advance(100);
        if (requests.length === browser) cache.markStale(KEY);
      }
      await advance(60_000);
      delays.push((requests[browser]?.at ?? 0) - markedAt);
    }
    expect(requests).toHaveLength(40);
    expect(Math.max(...delays)).toBeLessThanOrEqual(20_000);
    expect(Math.max(...delays)).toBeGreaterThan(12_000);
    expect(Math.min(...delays)).toBeLessThan(8_000);
    staleRefetch.spreadOver(0);
    cache.markStale(KEY);
    await advance(0);
    expect(requests).toHaveLength(41);
  });
});

describe('a stale key that nobody observes', () => {
  const UNOBSERVED = '/users';
  let revalidated: string[];

  beforeEach(() => {
    revalidated = [];
    cache = new QueryCache();
    refetchStale({
      cache,
      revalidate: async (key) => void revalidated.push(key),
      isVisible: () => true,
      onceVisible: () => undefined,
    });
  });

  it('is revalidated at once, so that SWR does not deduplicate the request of the next observer', async () => {
    cache.markStale(UNOBSERVED);
    await advance(0);
    expect(revalidated).toEqual([UNOBSERVED]);
  });

  it('is revalidated after the response in flight, which SWR would discard', async () => {
    const { succeed } = cache.startRequest(UNOBSERVED);
    cache.markStale(UNOBSERVED);
    await advance(1_000);
    expect(revalidated).toEqual([]);
    succeed('response');
    await advance(0);
    expect(revalidated).toEqual([UNOBSERVED]);
  });

  it('is requested when it is observed before the response in flight arrives', async () => {
    const { succeed } = cache.startRequest(UNOBSERVED);
    cache.markStale(UNOBSERVED);
    cache.observe(UNOBSERVED);
    succeed('response');
    await advance(1);
    expect(revalidated).toEqual([UNOBSERVED]);
  });

  it('is revalidated once when its last observer leaves before the request', async () => {
    const release = cache.observe(UNOBSERVED);
    cache.markStale(UNOBSERVED);
    release();
    await advance(60_000);
    expect(revalidated).toEqual([UNOBSERVED]);
  });
});

describe("a request after the user's own write", () => {
  it('follows the previous response without a pause', async () => {
    cache.markStale(KEY);
    await advance(RESPONSE_MS);
    cache.invalidate(KEY);
    staleRefetch.refetchNow([KEY]);
    await advance(0);
    expect(requests).toHaveLength(2);
  });

  it('follows the request in flight, which predates the write', async () => {
    cache.markStale(KEY);
    await advance(RESPONSE_MS / 2);
    cache.invalidate(KEY);
    staleRefetch.refetchNow([KEY]);
    await advance(0);
    expect(requests).toHaveLength(1);
    await advance(RESPONSE_MS / 2 + 1);
    expect(requests).toHaveLength(2);
    await advance(60_000);
    expect(requests).toHaveLength(2);
  });

  it('is not spread', async () => {
    staleRefetch.spreadOver(60_000);
    cache.markStale(KEY);
    staleRefetch.refetchNow([KEY]);
    await advance(0);
    expect(requests).toHaveLength(1);
  });
});
