import type { listProjects, Project } from '@atrium/proto-events/http/projects';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { SWRConfig } from 'swr';
import { startApi } from '#test/api-server.ts';
import { buildProject } from '#test/build-project.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { loadMoreProps } from './paging.ts';
import { swrConfig } from './swr-config.ts';
import { useInfinitePages } from './use-infinite-pages.ts';
import { keyOf, useRead } from './use-read.ts';

const TOTAL = 5;
const LIMIT = 2;

/** The part of the path that fails with a final error, which is not retried. */
let failingPath: string;
let requests: string[];
let stop: () => Promise<void>;

beforeEach(async () => {
  failingPath = 'nothing';
  requests = [];
  act(() => signInAs(buildUser('p')));
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    if (path.includes(failingPath))
      return { status: 404, body: { message: 'Not now', code: 'not_found', requestId: 'r' } };
    const { searchParams } = new URL(path, 'http://localhost');
    const page = Number(searchParams.get('page') ?? 1);
    const projects = Array.from({ length: TOTAL }, (_, n) =>
      buildProject({ _id: `${searchParams.get('search')} ${n}` }),
    );
    const data = projects.slice((page - 1) * LIMIT, page * LIMIT);
    return { status: 200, body: { data, total: TOTAL, page, totalPages: Math.ceil(TOTAL / LIMIT) } };
  }));
});

afterEach(() => stop());

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

const listIds = (data?: { data: readonly Project[] }) => data?.data.map(({ _id }) => _id);

describe('previous data', () => {
  const open = () =>
    renderHook((search: string) => useRead<typeof listProjects>('GET /projects', { query: { search, limit: LIMIT } }), {
      wrapper,
      initialProps: 'one',
    });

  it('is shown while a different query loads, and dropped when that fails', async () => {
    const { result, rerender } = open();
    await waitFor(() => expect(listIds(result.current.data)).toEqual(['one 0', 'one 1']));
    failingPath = 'search=two';
    rerender('two');
    expect(listIds(result.current.data)).toEqual(['one 0', 'one 1']);
    await waitFor(() => expect(result.current.error?.message).toBe('Not now'));
    expect(result.current.data).toBeUndefined();
    failingPath = 'nothing';
    await act(() => result.current.mutate());
    expect(listIds(result.current.data)).toEqual(['two 0', 'two 1']);
    expect(result.current.error).toBeUndefined();
  });

  it('is kept when a refetch of the same query fails', async () => {
    const { result } = open();
    await waitFor(() => expect(result.current.data).toBeDefined());
    failingPath = 'search=one';
    await act(() => result.current.mutate().catch(() => undefined));
    expect(result.current.error?.message).toBe('Not now');
    expect(listIds(result.current.data)).toEqual(['one 0', 'one 1']);
  });
});

describe('the pages of an infinite list', () => {
  function useList(search: string) {
    const [pages, setPages] = useState(1);
    const keyOfPage = (page: number) =>
      keyOf<typeof listProjects>('GET /projects', { query: { search, limit: LIMIT, page } });
    const query = useInfinitePages<Project>(keyOfPage, pages);
    return { query, pages, loadMore: loadMoreProps(query, pages, setPages) };
  }
  const open = () => renderHook(useList, { wrapper, initialProps: 'one' });
  const waitForCount = ({ result }: ReturnType<typeof open>, count: number) =>
    waitFor(() => expect(result.current.query.data?.data).toHaveLength(count));

  it('are kept when the next page fails, which is reported and retried on the next press', async () => {
    const opened = open();
    const { result } = opened;
    await waitForCount(opened, 2);
    failingPath = 'page=2';
    act(() => result.current.loadMore.load());
    await waitFor(() => expect(result.current.loadMore.error?.message).toBe('Not now'));
    expect(listIds(result.current.query.data)).toEqual(['one 0', 'one 1']);
    expect(result.current.loadMore.hasMore).toBe(true);
    await act(async () => result.current.loadMore.load());
    await waitFor(() => expect(requests.filter((path) => path.includes('page=2'))).toHaveLength(2));
    await waitFor(() => expect(result.current.loadMore.isLoading).toBe(false));
    expect(result.current.pages).toBe(2);
    failingPath = 'nothing';
    act(() => result.current.loadMore.load());
    await waitForCount(opened, 4);
    expect(result.current.loadMore.error).toBeUndefined();
    act(() => result.current.loadMore.load());
    await waitForCount(opened, TOTAL);
    expect(result.current.loadMore.hasMore).toBe(false);
  });

  it('are not shown for a different list that fails to load', async () => {
    const opened = open();
    const { result, rerender } = opened;
    await waitForCount(opened, 2);
    act(() => result.current.loadMore.load());
    await waitForCount(opened, 4);
    failingPath = 'search=two';
    rerender('two');
    await waitFor(() => expect(result.current.query.error?.message).toBe('Not now'));
    expect(result.current.query.data).toBeUndefined();
    expect(result.current.loadMore.hasMore).toBe(false);
    expect(requests.filter((path) => path.includes('search=two'))).toHaveLength(1);
  });
});
