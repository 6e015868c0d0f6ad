import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { errorFromResponse, networkError } from '../api/api-error.ts';
import { type Edit, QueryCache } from './query-cache.ts';

const KEY = '/projects?limit=6';

let cache: QueryCache;
let shown: string[];
let staleKeys: string[];

beforeEach(() => {
  cache = new QueryCache();
  shown = [];
  staleKeys = [];
  cache.show = (key, data) => {
    shown.push(String(data));
    cache.set(key, { data });
  };
  cache.onStale((key) => staleKeys.push(key));
});

/** Appends the text unless the data contain it. */
const append =
  (text: string): Edit =>
  (_key, data) => ({ data: String(data).includes(text) ? data : `${String(data)}${text}`, isStale: false });

const markStale: Edit = (_key, data) => ({ data, isStale: true });

describe('a change of data without a request in flight', () => {
  beforeEach(() => {
    cache.startRequest(KEY).succeed('a');
    cache.set(KEY, { data: 'a' });
  });

  it('is shown if it changes the data', () => {
    cache.edit(append('b'));
    cache.edit(append('a'));
    expect([shown, staleKeys]).toEqual([['ab'], []]);
    expect(cache.dataAge(KEY)).toBeLessThan(1_000);
  });

  it('reports stale data, which are no longer fresh', () => {
    cache.edit(markStale);
    expect([shown, staleKeys, cache.dataAge(KEY)]).toEqual([[], [KEY], Number.POSITIVE_INFINITY]);
  });

  it('reports a key whose first request failed, because the change may have permitted it', () => {
    cache.set(KEY, { error: errorFromResponse(403, null) });
    cache.edit((_key, data) => ({ data, isStale: data === undefined }));
    expect([shown, staleKeys]).toEqual([[], [KEY]]);
  });

  it('does not show data from before a final error again', () => {
    cache.set(KEY, { data: 'a', error: errorFromResponse(404, null) });
    cache.edit((_key, data) => ({ data: data && `${data}b`, isStale: data === undefined }));
    expect([shown, staleKeys]).toEqual([[], [KEY]]);
  });

  it('is shown although the last request failed temporarily', () => {
    cache.set(KEY, { data: 'a', error: errorFromResponse(503, null) });
    cache.edit(append('b'));
    expect([shown, staleKeys]).toEqual([['ab'], []]);
  });
});

describe('a change during a request', () => {
  it('is applied to the response, which is still shown', () => {
    cache.set(KEY, { data: 'a' });
    const { succeed } = cache.startRequest(KEY);
    cache.edit(append('b'));
    cache.edit(append('c'));
    expect(shown).toEqual([]);
    expect(succeed('ab')).toBe('abc');
    expect([shown, staleKeys]).toEqual([[], []]);
    expect(cache.dataAge(KEY)).toBeLessThan(1_000);
  });

  it('is applied to the first response', () => {
    const { succeed } = cache.startRequest(KEY);
    cache.edit(append('b'));
    expect(succeed('a')).toBe('ab');
  });

  it('makes the response stale when it arrives, not before', () => {
    const { succeed } = cache.startRequest(KEY);
    cache.edit(markStale);
    expect(staleKeys).toEqual([]);
    expect(succeed('a')).toBe('a');
    expect([staleKeys, cache.dataAge(KEY)]).toEqual([[KEY], Number.POSITIVE_INFINITY]);
  });

  it('is shown with the earlier data when the request fails', () => {
    cache.set(KEY, { data: 'a' });
    const { fail } = cache.startRequest(KEY);
    cache.edit(append('b'));
    fail(networkError());
    expect([shown, staleKeys]).toEqual([['ab'], []]);
  });

  it('makes the key stale when the request fails, because the change may have permitted it', () => {
    const { fail } = cache.startRequest(KEY);
    cache.edit(markStale);
    fail(errorFromResponse(403, null));
    expect([shown, staleKeys]).toEqual([[], [KEY]]);
  });

  it('is shown when a later request starts, because SWR discards the earlier response', () => {
    cache.set(KEY, { data: 'a' });
    const first = cache.startRequest(KEY);
    cache.edit(append('b'));
    const second = cache.startRequest(KEY);
    expect(shown).toEqual(['ab']);
    cache.edit(append('c'));
    first.succeed('a');
    second.fail(networkError());
    expect([shown, staleKeys]).toEqual([['ab', 'abc'], []]);
  });

  it('does not show data while a later request is in flight, which would discard its response', () => {
    cache.set(KEY, { data: 'a' });
    const first = cache.startRequest(KEY);
    const second = cache.startRequest(KEY);
    cache.edit(append('b'));
    first.fail(networkError());
    expect(shown).toEqual([]);
    expect(second.succeed('a')).toBe('ab');
  });
});

describe('an optimistic change during a request', () => {
  it('is shown immediately, with the changes that waited, and requests the discarded response again', () => {
    cache.set(KEY, { data: 'a' });
    const { succeed } = cache.startRequest(KEY);
    cache.edit(append('b'));
    cache.edit(append('c'), { isOptimistic: true });
    cache.edit(append('d'));
    expect([shown, staleKeys]).toEqual([['abc', 'abcd'], [KEY]]);
    succeed('a');
    expect([shown, cache.dataAge(KEY)]).toEqual([['abc', 'abcd'], Number.POSITIVE_INFINITY]);
  });

  it('is applied to the response when it does not change the earlier data', () => {
    cache.set(KEY, { data: 'ab' });
    const { succeed } = cache.startRequest(KEY);
    cache.edit(append('b'), { isOptimistic: true });
    expect(succeed('a')).toBe('ab');
    expect([shown, staleKeys]).toEqual([[], []]);
  });

  it('is applied to the first response, because there are no earlier data to show', () => {
    const { succeed } = cache.startRequest(KEY);
    cache.edit((key, data) => (data === undefined ? { data, isStale: false } : append('b')(key, data)), {
      isOptimistic: true,
    });
    expect(succeed('a')).toBe('ab');
    expect([shown, staleKeys]).toEqual([[], []]);
  });
});

it('a failed request is reported, and the key has failed until it is requested again', () => {
  const failures: unknown[] = [];
  cache.onFailed((key, error) => failures.push([key, error]));
  const error = networkError();
  cache.startRequest(KEY).fail(error);
  cache.set(KEY, { error });
  expect([failures, cache.hasFailed(KEY)]).toEqual([[[KEY, error]], true]);
  cache.startRequest(KEY);
  expect(cache.hasFailed(KEY)).toBe(false);
});

it('a request settles after its caller has received the response', async () => {
  jest.useFakeTimers();
  const { succeed } = cache.startRequest(KEY);
  let isSettled = false;
  void cache.settled(KEY).then(() => {
    isSettled = true;
  });
  succeed('a');
  await Promise.resolve();
  expect([isSettled, cache.isInFlight(KEY)]).toEqual([false, false]);
  await jest.advanceTimersByTimeAsync(0);
  expect(isSettled).toBe(true);
  jest.useRealTimers();
});
