import { jest } from '@jest/globals';
import { act } from '@testing-library/react';
import useSWR, { SWRConfig, type SWRConfiguration } from 'swr';
import { QueryCache } from '../src/lib/query/query-cache.ts';
import { swrConfig } from '../src/lib/query/swr-config.ts';

export const KEY = '/projects?limit=6';

/** Builds a page with a query, whose responses are `response 1`, `response 2`, …; for fake timers. */
export function buildQuery(config: SWRConfiguration = {}) {
  const cache = new QueryCache();
  const server: { requests: number; failure: Error | null; responseMs: number } = {
    requests: 0,
    failure: null,
    responseMs: 0,
  };
  async function request(): Promise<string> {
    server.requests += 1;
    const response = `response ${server.requests}`;
    const { failure, responseMs } = server;
    if (responseMs > 0) await new Promise((resolve) => setTimeout(resolve, responseMs));
    if (failure) throw failure;
    return response;
  }
  function Query() {
    const { data, mutate } = useSWR(KEY, request, config);
    return (
      <button type="button" onClick={() => void mutate()}>
        {data ?? 'Loading'}
      </button>
    );
  }
  const renderPage = (isShown = true) => (
    <SWRConfig value={{ ...swrConfig, provider: () => cache }}>{isShown ? <Query /> : null}</SWRConfig>
  );
  return { cache, server, renderPage, markStale: () => act(() => cache.markStale(KEY)) };
}

export const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

export function setVisible(isVisible: boolean): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}
