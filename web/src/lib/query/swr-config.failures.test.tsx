import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { buildQuery, setVisible, wait } from '#test/observed-query.tsx';
import { errorFromResponse, networkError } from '../api/api-error.ts';
import { FRESH_MS } from './query-cache.ts';

/** The maximum delay of any of the first retries without Retry-After. */
const MAX_DELAY_MS = 20_000;
/** The first retry follows within this time. */
const FIRST_RETRY_MS = 5_000;

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
const withRetryAfter = (code: number, seconds: number) =>
  errorFromResponse(code, null, (name) => (name === 'retry-after' ? String(seconds) : null));

describe('a failed refetch', () => {
  /** Opens a page that has data and fails to refetch it. */
  async function openFailing(error: Error) {
    const { rerender } = render(renderPage());
    await wait(FIRST_RETRY_MS);
    server.failure = error;
    markStale();
    await wait(FIRST_RETRY_MS);
    return { attempts: server.requests, hide: () => rerender(renderPage(false)) };
  }

  it.each([
    ['a network error', networkError()],
    ['a server error', status(503)],
  ])('keeps the data and is repeated until it succeeds, after %s', async (_name, error) => {
    const { attempts } = await openFailing(error);
    expect(screen.getByText('response 1')).toBeTruthy();
    await wait(MAX_DELAY_MS);
    expect(server.requests).toBeGreaterThan(attempts);
    server.failure = null;
    await wait(MAX_DELAY_MS);
    expect(screen.getByText(`response ${server.requests}`)).toBeTruthy();
    const countAfterSuccess = server.requests;
    await wait(10 * MAX_DELAY_MS);
    expect(server.requests).toBe(countAfterSuccess);
  });

  it('is not repeated after a final failure or when no longer observed', async () => {
    const forbidden = await openFailing(status(403));
    await wait(10 * MAX_DELAY_MS);
    expect(server.requests).toBe(forbidden.attempts);
    cleanup();
    ({ cache, server, renderPage, markStale } = buildQuery());
    const { attempts, hide } = await openFailing(status(500));
    hide();
    await wait(10 * MAX_DELAY_MS);
    expect(server.requests).toBe(attempts);
  });

  it('is not repeated before Retry-After has passed', async () => {
    const { attempts } = await openFailing(withRetryAfter(429, 40));
    await wait(34_000);
    expect(server.requests).toBe(attempts);
    server.failure = null;
    await wait(2 * 40_000);
    expect(screen.getByText(`response ${server.requests}`)).toBeTruthy();
    expect(server.requests).toBe(attempts + 1);
  });
});

describe('a failed first request', () => {
  async function open(error: Error) {
    server.failure = error;
    render(renderPage());
    await wait(FIRST_RETRY_MS);
    return server.requests;
  }

  it('is repeated until it succeeds, while the page is visible', async () => {
    const attempts = await open(networkError());
    expect(attempts).toBe(2);
    await wait(MAX_DELAY_MS);
    expect(server.requests).toBeGreaterThan(attempts);
    setVisible(false);
    const countWhileHidden = server.requests;
    await wait(10 * MAX_DELAY_MS);
    expect(server.requests).toBe(countWhileHidden);
    server.failure = null;
    setVisible(true);
    await wait(MAX_DELAY_MS);
    expect(screen.getByText(`response ${server.requests}`)).toBeTruthy();
    const countAfterSuccess = server.requests;
    await wait(10 * MAX_DELAY_MS);
    expect(server.requests).toBe(countAfterSuccess);
  });

  it.each([
    ['fails with a final error', status(404)],
    ['fails with an error in the app', new TypeError('undefined is not a function')],
  ])('is not repeated when it %s', async (_name, error) => {
    const attempts = await open(error);
    await wait(10 * MAX_DELAY_MS);
    expect(server.requests).toBe(attempts);
  });

  it('is not repeated before Retry-After has passed', async () => {
    const attempts = await open(withRetryAfter(503, 20));
    expect(attempts).toBe(1);
    await wait(14_000);
    expect(server.requests).toBe(1);
    server.failure = null;
    await wait(3 * MAX_DELAY_MS);
    expect(screen.getByText(`response ${server.requests}`)).toBeTruthy();
    expect(server.requests).toBe(2);
  });

  it('is also repeated when older data is shown', async () => {
    const { rerender } = render(renderPage());
    await wait(FIRST_RETRY_MS);
    rerender(renderPage(false));
    await wait(FRESH_MS);
    server.failure = networkError();
    rerender(renderPage());
    await wait(FIRST_RETRY_MS);
    server.failure = null;
    await wait(MAX_DELAY_MS);
    expect(server.requests).toBeGreaterThan(3);
    expect(screen.getByText(`response ${server.requests}`)).toBeTruthy();
  });

  it('is requested again when a change may have permitted it', async () => {
    const attempts = await open(status(403));
    server.failure = null;
    act(() => cache.edit((_key, data) => ({ data, isStale: data === undefined })));
    await wait(FIRST_RETRY_MS);
    expect([server.requests, screen.getByText(`response ${attempts + 1}`).textContent]).toEqual([
      attempts + 1,
      `response ${attempts + 1}`,
    ]);
  });
});
