import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KEY, MAX_JITTER, startStaleRefetch } from '#test/stale-refetch.ts';
import { type ApiError, errorFromResponse, networkError } from '../api/api-error.ts';
import { FIRST_RETRY_MS, MAX_QUICK_RETRIES, MIN_PAUSE_MS, RETRY_MS, SLOW_RETRY_MS } from './refetch-stale.ts';

const RESPONSE_MS = 100;

type Started = ReturnType<typeof startStaleRefetch>;

let cache: Started['cache'];
let requests: Started['requests'];
let server: Started['server'];
let page: Started['page'];
let pauses: Started['pauses'];
let staleRefetch: Pick<Started, 'refetchNow'>;

beforeEach(() => {
  jest.useFakeTimers();
  ({ cache, requests, server, page, pauses, ...staleRefetch } = startStaleRefetch());
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const unavailable = (retryAfterSeconds?: number): ApiError =>
  errorFromResponse(503, null, (name) =>
    name === 'retry-after' && retryAfterSeconds ? String(retryAfterSeconds) : null,
  );

describe('a key that failed to load', () => {
  it('is requested again until it succeeds', async () => {
    server.error = networkError();
    cache.markStale(KEY);
    await advance(MIN_PAUSE_MS);
    expect(requests).toHaveLength(1);
    await advance(MIN_PAUSE_MS * MAX_JITTER);
    expect(requests).toHaveLength(2);
    await advance(RETRY_MS * MAX_JITTER + RESPONSE_MS);
    expect(requests).toHaveLength(3);
    server.error = undefined;
    await advance(RETRY_MS * MAX_JITTER + RESPONSE_MS);
    expect(requests).toHaveLength(4);
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(4);
  });

  it('is requested less often after several failures, with jitter', async () => {
    server.error = unavailable();
    cache.markStale(KEY);
    await advance(MAX_QUICK_RETRIES * (RETRY_MS * MAX_JITTER + RESPONSE_MS) + 40 * SLOW_RETRY_MS);
    const [firstPause, ...others] = pauses();
    const quickPauses = others.slice(0, MAX_QUICK_RETRIES - 2);
    const slowPauses = others.slice(MAX_QUICK_RETRIES - 2);
    expect(firstPause).toBeLessThanOrEqual(MIN_PAUSE_MS * MAX_JITTER);
    expect(Math.min(...quickPauses)).toBeGreaterThanOrEqual(RETRY_MS);
    expect(Math.max(...quickPauses)).toBeLessThanOrEqual(RETRY_MS * MAX_JITTER);
    expect(Math.min(...slowPauses)).toBeGreaterThanOrEqual(SLOW_RETRY_MS);
    expect(Math.max(...slowPauses)).toBeLessThanOrEqual(SLOW_RETRY_MS * MAX_JITTER);
    expect(new Set(slowPauses.map(Math.round)).size).toBeGreaterThan(10);
  });

  it('is not requested before Retry-After has passed, even when it changes or the user writes', async () => {
    server.error = unavailable(60);
    cache.markStale(KEY);
    await advance(RESPONSE_MS);
    for (let n = 0; n < 59; n += 1) {
      cache.markStale(KEY);
      staleRefetch.refetchNow([KEY]);
      await advance(1_000);
    }
    expect(requests).toHaveLength(1);
    await advance(60_000 * MAX_JITTER);
    expect(requests.length).toBeGreaterThan(1);
  });

  it('is requested at a random time after Retry-After, which many browsers received', async () => {
    server.error = unavailable(60);
    cache.markStale(KEY);
    await advance(20 * 60_000 * MAX_JITTER);
    expect(Math.min(...pauses())).toBeGreaterThanOrEqual(60_000);
    expect(new Set(pauses().map(Math.round)).size).toBeGreaterThan(10);
  });

  it('is requested after the pause when it changes, such as when the connection is back', async () => {
    server.error = networkError();
    cache.markStale(KEY);
    await advance(RESPONSE_MS + MIN_PAUSE_MS * MAX_JITTER);
    cache.markStale(KEY);
    await advance(0);
    expect(requests).toHaveLength(2);
  });

  it('is requested once more when it changes during a request that fails', async () => {
    server.error = networkError();
    cache.markStale(KEY);
    await advance(RESPONSE_MS / 2);
    cache.markStale(KEY);
    await advance(RESPONSE_MS / 2 + MIN_PAUSE_MS * MAX_JITTER);
    expect(requests).toHaveLength(2);
  });

  it('is requested again regardless of whose request failed, and not before Retry-After has passed', async () => {
    cache.startRequest(KEY).fail(networkError());
    await advance(FIRST_RETRY_MS - 1);
    expect(requests).toEqual([]);
    await advance(FIRST_RETRY_MS);
    expect(requests).toHaveLength(1);
    await advance(10_000);
    cache.startRequest(KEY).fail(unavailable(60));
    await advance(30_000);
    cache.markStale(KEY);
    await advance(29_000);
    expect(requests).toHaveLength(1);
    await advance(60_000);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a final error', errorFromResponse(404, null)],
    ['an error in the app', new TypeError('undefined is not a function')],
  ])('is not requested again after %s', async (_label, finalError) => {
    cache.startRequest(KEY).fail(finalError);
    await advance(100 * RETRY_MS);
    expect(requests).toEqual([]);
    server.error = finalError;
    cache.markStale(KEY);
    await advance(100 * RETRY_MS);
    expect(requests).toHaveLength(1);
  });

  it('is not requested again when another request has succeeded', async () => {
    server.error = networkError();
    cache.markStale(KEY);
    await advance(RESPONSE_MS + 10);
    cache.startRequest(KEY).succeed('response');
    cache.set(KEY, { data: 'response' });
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(1);
  });

  it('is not requested again when it is no longer observed', async () => {
    const otherKey = '/users';
    const release = cache.observe(otherKey);
    server.error = networkError();
    cache.markStale(otherKey);
    await advance(RESPONSE_MS);
    release();
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(1);
  });

  it('waits while the page is hidden', async () => {
    server.error = networkError();
    cache.markStale(KEY);
    await advance(RESPONSE_MS);
    page.isVisible = false;
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(1);
    page.show();
    await advance(0);
    expect(requests).toHaveLength(2);
  });
});
