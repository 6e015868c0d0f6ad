import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { act, useLayoutEffect } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { retainAnswers } from './cache-retention.ts';
import { FRESH_MS, KEPT_MS, QueryCache } from './query-cache.ts';

const KEY = '/projects?limit=6';
let cache: QueryCache;
let asked: number;

beforeEach(() => {
  jest.useFakeTimers();
  cache = new QueryCache();
  asked = 0;
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

function Projects() {
  const { data } = useSWR(KEY, async () => `answer ${++asked}`, { dedupingInterval: 0 });
  return <p>{data ?? 'Loading'}</p>;
}

const config = { provider: () => cache, use: [retainAnswers] };

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

describe('an answer in the cache', () => {
  it('is asked for where it changes after its screen was drawn and before it holds the answer', async () => {
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
    expect(screen.getByText('answer 2')).toBeTruthy();
    expect(asked).toBe(2);
  });

  it('stays for as long as it is shown', async () => {
    render(screenWith(1));
    await wait(3 * KEPT_MS);
    expect(screen.getByText('answer 1')).toBeTruthy();
    expect(cache.has(KEY)).toBe(true);
  });

  it('goes ten minutes after the last that showed it', async () => {
    const { rerender } = render(screenWith(2));
    await wait(0);
    rerender(screenWith(1));
    await wait(2 * KEPT_MS);
    rerender(screenWith(0));
    await wait(KEPT_MS - 1);
    expect(cache.has(KEY)).toBe(true);
    await wait(1);
    expect(cache.has(KEY)).toBe(false);
  });

  it('is shown at once to whoever comes back in time, and kept anew', async () => {
    const { rerender } = render(screenWith(1));
    await wait(0);
    rerender(screenWith(0));
    await wait(KEPT_MS - 1);
    rerender(screenWith(1));
    expect(screen.getByText(/^answer/)).toBeTruthy();
    await wait(2 * KEPT_MS);
    expect(cache.has(KEY)).toBe(true);
  });

  it('is asked for again by whoever comes after five minutes, or after something said that it changed', async () => {
    const { rerender } = render(screenWith(1));
    await wait(0);
    const showAgain = async () => {
      rerender(screenWith(0));
      rerender(screenWith(1));
      // SWR waits for a frame where there is something to show.
      await wait(100);
    };
    await wait(FRESH_MS - 1_000);
    await showAgain();
    expect(asked).toBe(1);
    await wait(1_000);
    await showAgain();
    expect(asked).toBe(2);
    cache.invalidate(KEY);
    await showAgain();
    expect(asked).toBe(3);
  });

  it('is told of from the question on, and as long as it would be shown as it is', () => {
    let told = 0;
    cache.onShown(() => {
      told += 1;
    });
    const { end } = cache.ask(KEY);
    expect([cache.wanted(), cache.isObserved(KEY), told]).toEqual([[KEY], false, 1]);
    end(true);
    expect(cache.wanted()).toEqual([KEY]);
    jest.advanceTimersByTime(FRESH_MS);
    expect(cache.wanted()).toEqual([]);
    cache.ask(KEY).end(false);
    expect(cache.wanted()).toEqual([]);
  });

  it('is not fresh where it was asked for before something said that it changed', () => {
    const { end } = cache.ask(KEY);
    jest.advanceTimersByTime(10);
    cache.invalidate(KEY);
    end(true);
    expect(cache.ageOf(KEY)).toBe(Number.POSITIVE_INFINITY);
    jest.advanceTimersByTime(10);
    cache.ask(KEY).end(true);
    expect(cache.ageOf(KEY)).toBe(0);
  });

  it('is as old as the latest question for it, answered or not, and is waited for', async () => {
    expect(cache.requestAge(KEY)).toBe(Number.POSITIVE_INFINITY);
    const { end: endFirst } = cache.ask(KEY);
    jest.advanceTimersByTime(300);
    const { end: endSecond } = cache.ask(KEY);
    jest.advanceTimersByTime(100);
    expect([cache.requestAge(KEY), cache.ageOf(KEY)]).toEqual([100, Number.POSITIVE_INFINITY]);
    let isSettled = false;
    void cache.settled(KEY).then(() => {
      isSettled = true;
    });
    endSecond(true);
    await wait(0);
    expect(isSettled).toBe(false);
    endFirst(true);
    await wait(0);
    expect([isSettled, cache.ageOf(KEY)]).toEqual([true, 100]);
    cache.ask(KEY);
    cache.invalidate(KEY);
    expect(cache.requestAge(KEY)).toBe(Number.POSITIVE_INFINITY);
    await cache.settled('/users');
  });

  it('is as old as it is where the clock is set back, and older than anything where it stands before the question', async () => {
    cache.ask(KEY).end(true);
    await wait(60_000);
    jest.setSystemTime(Date.now() - 50_000);
    expect([cache.ageOf(KEY), cache.requestAge(KEY)]).toEqual([60_000, 60_000]);
    jest.setSystemTime(Date.now() - 3_600_000);
    const { end } = cache.ask('/users');
    jest.setSystemTime(Date.now() - 1);
    for (const key of [KEY, '/users']) expect(cache.requestAge(key)).toBe(Number.POSITIVE_INFINITY);
    expect(cache.wanted()).toEqual(['/users']);
    end(true);
    await wait(1_000);
    cache.ask(KEY).end(true);
    expect(cache.requestAge(KEY)).toBe(0);
  });
});
