import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import useSWR, { SWRConfig } from 'swr';
import { errorFromResponse, networkError } from '../lib/api/api-error.ts';
import { FRESH_MS, QueryCache } from '../lib/query/query-cache.ts';
import { swrConfig } from '../lib/query/swr-config.ts';
import { useRefetch } from './use-refetch.ts';

const KEY = '/projects?limit=6';
/** The maximum wait of anything without Retry-After. */
const ALL_MS = 20_000;

let cache: QueryCache;
let asked: number;
let failure: Error | null;
let askAgain: ReturnType<typeof useRefetch>;

beforeEach(() => {
  jest.useFakeTimers();
  [cache, asked, failure] = [new QueryCache(), 0, null];
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

async function ask(): Promise<string> {
  asked += 1;
  if (failure) throw failure;
  return `answer ${asked}`;
}

function Shown() {
  return <p>{useSWR(KEY, ask).data}</p>;
}

function Asking() {
  askAgain = useRefetch();
  return null;
}

const page = (isShown: boolean) => (
  <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
    <Asking />
    {isShown ? <Shown /> : null}
  </SWRConfig>
);

/** A page that has data and fails to refetch it. */
async function openFailing(by: Error) {
  const { rerender } = render(page(true));
  await wait(5_000);
  failure = by;
  act(() => askAgain(() => true));
  await wait(5_000);
  // SWR retries once.
  const tries = asked;
  return { tries, hide: () => rerender(page(false)) };
}

const status = (code: number) => errorFromResponse(code, { message: 'Not now', code: 'some', requestId: 'r' });

describe('a failed refetch', () => {
  it.each([
    ['nobody answered', networkError()],
    ['the server was in trouble', status(503)],
  ])('keeps the data and is retried until it succeeds, after %s', async (_name, error) => {
    const { tries } = await openFailing(error);
    expect(screen.getByText('answer 1')).toBeTruthy();
    await wait(ALL_MS);
    expect(asked).toBeGreaterThan(tries);
    failure = null;
    await wait(ALL_MS);
    expect(screen.getByText(`answer ${asked}`)).toBeTruthy();
    const afterwards = asked;
    await wait(10 * ALL_MS);
    expect(asked).toBe(afterwards);
  });

  it('is not retried after a final failure or when no longer observed', async () => {
    const refused = await openFailing(status(403));
    await wait(10 * ALL_MS);
    expect(asked).toBe(refused.tries);
    cleanup();
    [cache, asked, failure] = [new QueryCache(), 0, null];
    const { tries, hide } = await openFailing(status(500));
    hide();
    await wait(10 * ALL_MS);
    expect(asked).toBe(tries);
  });

  it('is not retried before Retry-After has passed', async () => {
    const refusal = errorFromResponse(429, null, (name) => (name === 'retry-after' ? '40' : null));
    const { tries } = await openFailing(refusal);
    await wait(34_000);
    expect(asked).toBe(tries);
    failure = null;
    await wait(2 * 40_000);
    expect(screen.getByText(`answer ${asked}`)).toBeTruthy();
    expect(asked).toBe(tries + 1);
  });
});

describe('a failed first request', () => {
  const SWR_MS = 5_000;

  function setLookedAt(isLookedAt: boolean) {
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(isLookedAt ? 'visible' : 'hidden');
    document.dispatchEvent(new Event('visibilitychange'));
  }

  async function open(by: Error) {
    failure = by;
    render(page(true));
    await wait(SWR_MS);
    return asked;
  }

  afterEach(() => void jest.restoreAllMocks());

  it('is retried until it succeeds, while the page is visible', async () => {
    const tries = await open(networkError());
    expect(tries).toBe(2);
    await wait(ALL_MS);
    expect(asked).toBeGreaterThan(tries);
    setLookedAt(false);
    // SWR's retry of the last request may still follow.
    await wait(SWR_MS);
    const before = asked;
    await wait(10 * ALL_MS);
    expect(asked).toBe(before);
    failure = null;
    setLookedAt(true);
    await wait(ALL_MS);
    expect(screen.getByText(`answer ${asked}`)).toBeTruthy();
    const afterwards = asked;
    await wait(10 * ALL_MS);
    expect(asked).toBe(afterwards);
  });

  it.each([
    ['was refused for good', status(404)],
    ['is a fault of the app', new TypeError('undefined is not a function')],
  ])('is not retried when it %s', async (_name, error) => {
    const tries = await open(error);
    await wait(10 * ALL_MS);
    expect(asked).toBe(tries);
  });

  it('is not retried before Retry-After has passed', async () => {
    const tries = await open(errorFromResponse(503, null, (name) => (name === 'retry-after' ? '20' : null)));
    expect(tries).toBe(1);
    // SWR's retry, and the response to it.
    await wait(30_000);
    expect(asked).toBe(2);
    await wait(14_000);
    expect(asked).toBe(2);
    failure = null;
    await wait(3 * ALL_MS);
    expect(screen.getByText(`answer ${asked}`)).toBeTruthy();
    expect(asked).toBe(3);
  });

  it('is also retried when older data is shown', async () => {
    const { rerender } = render(page(true));
    await wait(SWR_MS);
    rerender(page(false));
    await wait(FRESH_MS);
    failure = networkError();
    rerender(page(true));
    await wait(SWR_MS);
    failure = null;
    await wait(ALL_MS);
    expect(asked).toBeGreaterThan(3);
    expect(screen.getByText(`answer ${asked}`)).toBeTruthy();
  });
});
