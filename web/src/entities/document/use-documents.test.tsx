import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { DEFAULT_HUB_FILTERS } from './document-filters.ts';
import { useDocumentHub, useDocumentLimits, useDocumentStats } from './use-documents.ts';

let stop: () => Promise<void> = async () => undefined;
afterEach(async () => {
  cleanup();
  await stop();
});

it("useDocumentHub refetches documents while a document's text is being extracted, then stops", async () => {
  act(() => signInAs(buildUser('a')));
  let requests = 0;
  ({ stop } = await startApi(() => {
    requests += 1;
    const text = requests < 3 ? 'pending' : 'done';
    const data = [{ _id: 'd'.repeat(24), name: 'plan.txt', text, updatedAt: new Date().toISOString() }];
    return { status: 200, body: { data, total: 1, page: 1, limit: 48, totalPages: 1 } };
  }));
  const { result } = renderHook(() => useDocumentHub(DEFAULT_HUB_FILTERS), {
    wrapper: ({ children }) => <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>,
  });
  await waitFor(() => expect(result.current.data?.data[0]?.text).toBe('done'));
  expect(requests).toBe(3);
});

it('useDocumentLimits, which no live update covers, refetches when the browser is online again', async () => {
  act(() => signInAs(buildUser('a')));
  const requests: string[] = [];
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    return { status: 200, body: {} };
  }));
  const { result } = renderHook(() => [useDocumentLimits(), useDocumentStats()], {
    wrapper: ({ children }) => <SWRConfig value={{ ...swrConfig, dedupingInterval: 0 }}>{children}</SWRConfig>,
  });
  await waitFor(() => expect(result.current.map(({ data }) => data)).toEqual([{}, {}]));
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(requests).toHaveLength(3));
  expect(requests[2]).toBe('/api/documents/limits');
});
