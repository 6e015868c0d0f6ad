import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import useSWR, { SWRConfig } from 'swr';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';
import { FRESH_MS, QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { useRefetch } from './use-refetch.ts';

const KEY = '/projects?limit=6';
/** The maximum delay of any retry without Retry-After. */
const MAX_DELAY_MS = 20_000;

let cache: QueryCache;
let requestCount: number;
let failure: Error | null;
let refetch: ReturnType<typeof useRefetch>;

beforeEach(() => {
  jest.useFakeTimers();
  cache = new QueryCache();
  requestCount = 0;
  failure = null;
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

async function request(): Promise<string> {
  requestCount += 1;
  if (failure) throw failure;
  return `response ${requestCount}`;
}

function Projects() {
  return <p>{useSWR(KEY, request).data}</p>;
}

function Refetcher() {
  refetch = useRefetch();
  return null;
}

const page = (isShown: boolean) => (
  <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
    <Refetcher />
    {isShown ? <Projects /> : null}
  </SWRConfig>
);

/** Opens a page that has data and fails to refetch it. */
async function openFailing(error: Error) {
  const { rerender } = render(page(true));
  await wait(5_000);
  failure = error;
  act(() => refetch(() => true));
  await wait(5_000);
  // SWR retries once.
  const attempts = requestCount;
  return { attempts, hide: () => rerender(page(false)) };
}

const status = (code: number) => errorFromResponse(code, { message: 'Not now', code: 'some', requestId: 'r' });

describe('a failed refetch', () => {
  it.each([
    ['a network error', networkError()],
    ['a server error', status(503)],
  ])('keeps the data and is retried until it succeeds, after %s', async (_name, error) => {
    const { attempts } = await openFailing(error);
    expect(screen.getByText('response 1')).toBeTruthy();
    await wait(MAX_DELAY_MS);
    expect(requestCount).toBeGreaterThan(attempts);
    failure = null;
    await wait(MAX_DELAY_MS);
    expect(screen.getByText(`response ${requestCount}`)).toBeTruthy();
    const countAfterSuccess = requestCount;
    await wait(10 * MAX_DELAY_MS);
    expect(requestCount).toBe(countAfterSuccess);
  });

  it('is not retried after a final failure or when no longer observed', async () => {
    const forbidden = await openFailing(status(403));
    await wait(10 * MAX_DELAY_MS);
    expect(requestCount).toBe(forbidden.attempts);
    cleanup();
    cache = new QueryCache();
    requestCount = 0;
    failure = null;
    const { attempts, hide } = await openFailing(status(500));
    hide();
    await wait(10 * MAX_DELAY_MS);
    expect(requestCount).toBe(attempts);
  });

  it('is not retried before Retry-After has passed', async () => {
    const error = errorFromResponse(429, null, (name) => (name === 'retry-after' ? '40' : null));
    const { attempts } = await openFailing(error);
    await wait(34_000);
    expect(requestCount).toBe(attempts);
    failure = null;
    await wait(2 * 40_000);
    expect(screen.getByText(`response ${requestCount}`)).toBeTruthy();
    expect(requestCount).toBe(attempts + 1);
  });
});

describe('a failed first request', () => {
  const SWR_RETRY_MS = 5_000;

  function setVisible(isVisible: boolean) {
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden');
    document.dispatchEvent(new Event('visibilitychange'));
  }

  async function open(error: Error) {
    failure = error;
    render(page(true));
    await wait(SWR_RETRY_MS);
    return requestCount;
  }

  afterEach(() => void jest.restoreAllMocks());

  it('is retried until it succeeds, while the page is visible', async () => {
    const attempts = await open(networkError());
    expect(attempts).toBe(2);
    await wait(MAX_DELAY_MS);
    expect(requestCount).toBeGreaterThan(attempts);
    setVisible(false);
    // SWR's retry of the last request may still follow.
    await wait(SWR_RETRY_MS);
    const countWhileHidden = requestCount;
    await wait(10 * MAX_DELAY_MS);
    expect(requestCount).toBe(countWhileHidden);
    failure = null;
    setVisible(true);
    await wait(MAX_DELAY_MS);
    expect(screen.getByText(`response ${requestCount}`)).toBeTruthy();
    const countAfterSuccess = requestCount;
    await wait(10 * MAX_DELAY_MS);
    expect(requestCount).toBe(countAfterSuccess);
  });

  it.each([
    ['fails with a final error', status(404)],
    ['fails with an error in the app', new TypeError('undefined is not a function')],
  ])('is not retried when it %s', async (_name, error) => {
    const attempts = await open(error);
    await wait(10 * MAX_DELAY_MS);
    expect(requestCount).toBe(attempts);
  });

  it('is not retried before Retry-After has passed', async () => {
    const attempts = await open(errorFromResponse(503, null, (name) => (name === 'retry-after' ? '20' : null)));
    expect(attempts).toBe(1);
    // SWR retries, and its request gets a response.
    await wait(30_000);
    expect(requestCount).toBe(2);
    await wait(14_000);
    expect(requestCount).toBe(2);
    failure = null;
    await wait(3 * MAX_DELAY_MS);
    expect(screen.getByText(`response ${requestCount}`)).toBeTruthy();
    expect(requestCount).toBe(3);
  });

  it('is also retried when older data is shown', async () => {
    const { rerender } = render(page(true));
    await wait(SWR_RETRY_MS);
    rerender(page(false));
    await wait(FRESH_MS);
    failure = networkError();
    rerender(page(true));
    await wait(SWR_RETRY_MS);
    failure = null;
    await wait(MAX_DELAY_MS);
    expect(requestCount).toBeGreaterThan(3);
    expect(screen.getByText(`response ${requestCount}`)).toBeTruthy();
  });
});
