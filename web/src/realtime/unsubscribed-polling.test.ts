import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { QueryCache } from '#lib/query/query-cache.ts';
import { pollUnsubscribed, type UnsubscribedPolling } from './unsubscribed-polling.ts';

let cache: QueryCache;
let requests: string[];
let unsubscribed: UnsubscribedPolling;

beforeEach(() => {
  jest.useFakeTimers();
  cache = new QueryCache();
  requests = [];
  for (const key of ['/a', '/b']) request(key);
  unsubscribed = pollUnsubscribed({
    cache,
    refetch(getTarget) {
      for (const key of cache.keys())
        if (getTarget(key, cache.requestAge(key), cache.get(key)?.data)) {
          requests.push(key);
          request(key);
        }
    },
  });
});
afterEach(() => {
  unsubscribed.stop();
  jest.useRealTimers();
});

function request(key: string): void {
  const { finish } = cache.startRequest(key);
  cache.set(key, { data: 'present' });
  finish(true);
}

it('pollUnsubscribed polls observed queries without a subscription, and refetches them once when they are subscribed again', () => {
  const release = cache.observe('/a');
  unsubscribed.setKeys(['/a']);
  jest.advanceTimersByTime(65_000);
  expect(requests).toEqual(['/a', '/a']);
  unsubscribed.setKeys([]);
  expect(requests).toEqual(['/a', '/a', '/a']);
  jest.advanceTimersByTime(600_000);
  expect(requests).toHaveLength(3);
  release();
});

it('pollUnsubscribed invalidates unobserved queries without a subscription for their next observer', () => {
  expect(cache.activeKeys()).toContain('/b');
  unsubscribed.setKeys(['/b']);
  expect(cache.dataAge('/b')).toBe(Number.POSITIVE_INFINITY);
  expect(cache.activeKeys()).not.toContain('/b');
  jest.advanceTimersByTime(600_000);
  expect(requests).toEqual([]);
});
