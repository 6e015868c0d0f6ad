import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { act, useLayoutEffect } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { networkError } from '../api/api-error.ts';
import { FRESH_MS, QueryCache, RETENTION_MS } from './query-cache.ts';
import { cacheRetention } from './swr-config.ts';

const KEY = '/projects?limit=6';
let cache: QueryCache;
let requests: number;

beforeEach(() => {
  jest.useFakeTimers();
  cache = new QueryCache();
  requests = 0;
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

function Projects() {
  const { data } = useSWR(KEY, async () => `response ${++requests}`, { dedupingInterval: 0 });
  return <p>{data ?? 'Loading'}</p>;
}

const config = { provider: () => cache, use: [cacheRetention] };

function screenWith(count: number) {
  return (
    <SWRConfig value={config}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical parts that never move
        <Projects key={index} />
      ))}
    </SWRConfig>
  );
}

const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

describe('cached data', () => {
  it('is requested again when it is shown next if SWR has discarded the response', async () => {
    cache.startRequest(KEY).succeed('response');
    await jest.advanceTimersByTimeAsync(1);
    expect(cache.dataAge(KEY)).toBe(Number.POSITIVE_INFINITY);
    cache.set(KEY, { data: cache.startRequest(KEY).succeed('response') });
    await jest.advanceTimersByTimeAsync(1);
    expect(cache.dataAge(KEY)).toBeLessThan(1_000);
  });

  it('is refetched when it was invalidated between render and mount', async () => {
    const { rerender } = render(screenWith(1));
    await wait(0);
    rerender(screenWith(0));
    function Changes() {
      useLayoutEffect(() => {
        cache.invalidate(KEY);
      }, []);
      return null;
    }
    rerender(
      <SWRConfig value={config}>
        <Changes />
        <Projects />
      </SWRConfig>,
    );
    await wait(0);
    expect(screen.getByText('response 2')).toBeTruthy();
    expect(requests).toBe(2);
  });

  it('is kept while it is observed', async () => {
    render(screenWith(1));
    await wait(3 * RETENTION_MS);
    expect(screen.getByText('response 1')).toBeTruthy();
    expect(cache.has(KEY)).toBe(true);
  });

  it('is evicted ten minutes after its last observer', async () => {
    const { rerender } = render(screenWith(2));
    await wait(0);
    rerender(screenWith(1));
    await wait(2 * RETENTION_MS);
    rerender(screenWith(0));
    await wait(RETENTION_MS - 1);
    expect(cache.has(KEY)).toBe(true);
    await wait(1);
    expect(cache.has(KEY)).toBe(false);
  });

  it('is shown immediately to a new observer within ten minutes, and kept while observed', async () => {
    const { rerender } = render(screenWith(1));
    await wait(0);
    rerender(screenWith(0));
    await wait(RETENTION_MS - 1);
    rerender(screenWith(1));
    expect(screen.getByText(/^response/)).toBeTruthy();
    await wait(2 * RETENTION_MS);
    expect(cache.has(KEY)).toBe(true);
  });

  it('is refetched by a new observer after five minutes or after an invalidation', async () => {
    const { rerender } = render(screenWith(1));
    await wait(0);
    const showAgain = async () => {
      rerender(screenWith(0));
      rerender(screenWith(1));
      // SWR waits for an animation frame.
      await wait(100);
    };
    await wait(FRESH_MS - 1_000);
    await showAgain();
    expect(requests).toBe(1);
    await wait(1_000);
    await showAgain();
    expect(requests).toBe(2);
    cache.invalidate(KEY);
    await showAgain();
    expect(requests).toBe(3);
  });

  it('is active from the first request until it is no longer fresh', () => {
    let notificationCount = 0;
    cache.onActiveKeysChange(() => {
      notificationCount += 1;
    });
    const { succeed } = cache.startRequest(KEY);
    expect([cache.activeKeys(), cache.isObserved(KEY), notificationCount]).toEqual([[KEY], false, 1]);
    succeed('response');
    expect(cache.activeKeys()).toEqual([KEY]);
    jest.advanceTimersByTime(FRESH_MS);
    expect(cache.activeKeys()).toEqual([]);
    cache.startRequest(KEY).fail(networkError());
    expect(cache.activeKeys()).toEqual([]);
  });

  it('is not fresh when it was requested before an invalidation', () => {
    const { succeed } = cache.startRequest(KEY);
    jest.advanceTimersByTime(10);
    cache.invalidate(KEY);
    cache.set(KEY, { data: succeed('response') });
    expect(cache.dataAge(KEY)).toBe(Number.POSITIVE_INFINITY);
    jest.advanceTimersByTime(10);
    cache.set(KEY, { data: cache.startRequest(KEY).succeed('response') });
    expect(cache.dataAge(KEY)).toBe(0);
  });

  it('is as old as its latest request, and settles when all requests have finished', async () => {
    expect(cache.requestAge(KEY)).toBe(Number.POSITIVE_INFINITY);
    const first = cache.startRequest(KEY);
    jest.advanceTimersByTime(300);
    const second = cache.startRequest(KEY);
    jest.advanceTimersByTime(100);
    expect([cache.requestAge(KEY), cache.dataAge(KEY)]).toEqual([100, Number.POSITIVE_INFINITY]);
    let isSettled = false;
    void cache.settled(KEY).then(() => {
      isSettled = true;
    });
    cache.set(KEY, { data: second.succeed('response') });
    await wait(0);
    expect(isSettled).toBe(false);
    cache.set(KEY, { data: first.succeed('response') });
    await wait(0);
    expect([isSettled, cache.dataAge(KEY)]).toEqual([true, 100]);
    cache.startRequest(KEY);
    cache.invalidate(KEY);
    expect(cache.requestAge(KEY)).toBe(Number.POSITIVE_INFINITY);
    await cache.settled('/users');
  });

  it('is not fresh when SWR has discarded its response and the later request failed', () => {
    const first = cache.startRequest(KEY);
    jest.advanceTimersByTime(10);
    const second = cache.startRequest(KEY);
    cache.set(KEY, { data: first.succeed('response') });
    second.fail(networkError());
    expect(cache.dataAge(KEY)).toBe(Number.POSITIVE_INFINITY);
  });

  it('keeps its age when the clock is set back, and is infinitely old when the clock is behind its request', async () => {
    cache.set(KEY, { data: cache.startRequest(KEY).succeed('response') });
    await wait(60_000);
    jest.setSystemTime(Date.now() - 50_000);
    expect([cache.dataAge(KEY), cache.requestAge(KEY)]).toEqual([60_000, 60_000]);
    jest.setSystemTime(Date.now() - 3_600_000);
    const { succeed } = cache.startRequest('/users');
    jest.setSystemTime(Date.now() - 1);
    for (const key of [KEY, '/users']) expect(cache.requestAge(key)).toBe(Number.POSITIVE_INFINITY);
    expect(cache.activeKeys()).toEqual(['/users']);
    cache.set(KEY, { data: succeed('response') });
    await wait(1_000);
    cache.set(KEY, { data: cache.startRequest(KEY).succeed('response') });
    expect(cache.requestAge(KEY)).toBe(0);
  });
});
