import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { buildQuery, KEY, setVisible, wait } from '#test/observed-query.tsx';
import { errorFromResponse } from '../api/api-error.ts';
import { REFETCH_WHEN_SHOWN } from './swr-config.ts';

/** Longer than SWR's deduping interval. */
const DEDUPING_MS = 5_000;

type Query = ReturnType<typeof buildQuery>;

let cache: Query['cache'];
let server: Query['server'];
let renderPage: Query['renderPage'];
let markStale: Query['markStale'];

beforeEach(() => {
  jest.useFakeTimers();
  ({ cache, server, renderPage, markStale } = buildQuery());
});

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const status = (code: number) => errorFromResponse(code, { message: 'Not now', code: 'some', requestId: 'r' });
const append = (text: string) => (_key: string, data: unknown) => ({
  data: data === undefined || String(data).endsWith(text) ? data : `${String(data)}${text}`,
  isStale: false,
});

describe('a stale response', () => {
  it('is requested again while the page is visible', async () => {
    render(renderPage());
    await wait(DEDUPING_MS);
    setVisible(false);
    markStale();
    await wait(60_000);
    expect(server.requests).toBe(1);
    setVisible(true);
    await wait(0);
    expect(screen.getByText('response 2')).toBeTruthy();
  });

  it('is requested by the next observer, even within the deduping interval', async () => {
    const { rerender } = render(renderPage());
    await wait(100);
    rerender(renderPage(false));
    markStale();
    await wait(100);
    expect(server.requests).toBe(1);
    rerender(renderPage());
    await wait(100);
    expect([server.requests, screen.getByText(/response/).textContent]).toEqual([2, 'response 2']);
  });

  it('is shown as soon as it arrives, although it is requested again', async () => {
    server.responseMs = 100;
    render(renderPage());
    await wait(50);
    act(() => cache.edit((_key, data) => ({ data, isStale: true })));
    await wait(60);
    expect(screen.getByText('response 1')).toBeTruthy();
    await wait(10_000);
    expect(screen.getByText('response 2')).toBeTruthy();
    await wait(60_000);
    expect(server.requests).toBe(2);
  });
});

it('a response that nothing updates is requested again whenever it is shown', async () => {
  ({ server, renderPage } = buildQuery(REFETCH_WHEN_SHOWN));
  const { rerender } = render(renderPage());
  await wait(DEDUPING_MS);
  rerender(renderPage(false));
  rerender(renderPage());
  await wait(100);
  expect(screen.getByText('response 2')).toBeTruthy();
});

describe('a change of a response', () => {
  it('is shown without a request', async () => {
    render(renderPage());
    await wait(100);
    act(() => cache.edit(append(' edited')));
    await wait(60_000);
    expect(screen.getByText('response 1 edited')).toBeTruthy();
    expect(server.requests).toBe(1);
  });

  it('is shown once the response in flight arrives, which includes it or not', async () => {
    render(renderPage());
    await wait(DEDUPING_MS);
    server.responseMs = 100;
    markStale();
    await wait(50);
    act(() => cache.edit(append(' edited')));
    expect(screen.getByText('response 1')).toBeTruthy();
    await wait(60);
    expect(screen.getByText('response 2 edited')).toBeTruthy();
  });

  it('is shown immediately by an optimistic write, and after its discarded response has been requested again', async () => {
    render(renderPage());
    await wait(DEDUPING_MS);
    server.responseMs = 100;
    markStale();
    await wait(50);
    act(() => cache.edit(append(' edited'), { isOptimistic: true }));
    expect(screen.getByText('response 1 edited')).toBeTruthy();
    await wait(60);
    expect(screen.getByText('response 1 edited')).toBeTruthy();
    await wait(10_000);
    expect(screen.getByText('response 3')).toBeTruthy();
    expect(server.requests).toBe(3);
  });

  it('is shown when the request in flight fails', async () => {
    render(renderPage());
    await wait(DEDUPING_MS);
    server.responseMs = 100;
    server.failure = status(404);
    markStale();
    await wait(50);
    act(() => cache.edit(append(' edited')));
    await wait(60);
    expect(screen.getByText('response 1 edited')).toBeTruthy();
    expect(cache.get(KEY)?.error).toBe(server.failure);
  });

  it('is shown when another request starts, whose response SWR shows instead', async () => {
    render(renderPage());
    await wait(DEDUPING_MS);
    server.responseMs = 100;
    markStale();
    await wait(50);
    act(() => cache.edit(append(' edited')));
    server.failure = status(404);
    act(() => screen.getByRole('button').click());
    expect(screen.getByText('response 1 edited')).toBeTruthy();
    await wait(200);
    expect(screen.getByText('response 1 edited')).toBeTruthy();
  });
});

it('a cache that was discarded when the user left shows and requests nothing', async () => {
  const { unmount } = render(renderPage());
  await wait(DEDUPING_MS);
  const requestsBefore = server.requests;
  server.responseMs = 100;
  server.failure = status(401);
  markStale();
  await wait(50);
  unmount();
  cache.edit(append(' edited'));
  await wait(10 * DEDUPING_MS);
  cache.markStale(KEY);
  await wait(10 * DEDUPING_MS);
  // A rejected promise that nobody handles would fail this test, too.
  expect(server.requests).toBe(requestsBefore + 1);
});
