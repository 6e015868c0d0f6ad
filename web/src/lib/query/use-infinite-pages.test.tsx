import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { swrConfig } from './swr-config.ts';
import { useInfinitePages } from './use-infinite-pages.ts';

const LIMIT = 2;

let stop: () => Promise<void>;
/** The ids on the server before each request; the last ones stay. */
let listings: string[];
let requests: number[];

beforeEach(async () => {
  requests = [];
  signInAs(buildUser('a'));
  ({ stop } = await startApi(({ path }) => {
    const page = Number(new URL(path, 'http://localhost').searchParams.get('page'));
    const ids = [...(listings[Math.min(requests.length, listings.length - 1)] ?? '')];
    requests.push(page);
    const data = ids.slice((page - 1) * LIMIT, page * LIMIT).map((_id) => ({ _id }));
    const totalPages = Math.ceil(ids.length / LIMIT);
    return { status: 200, body: { data, total: ids.length, page, totalPages } };
  }));
});

afterEach(() => stop());

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

async function readTwoPages() {
  const keyOfPage = (page: number) => `/things?limit=${LIMIT}&page=${page}`;
  const { result } = renderHook(() => useInfinitePages<{ _id: string }>(keyOfPage, 2).data, { wrapper });
  await waitFor(() => expect(result.current).toBeDefined());
  return [result.current?.data.map(({ _id }) => _id).join(''), result.current?.total];
}

it('reads all pages', async () => {
  listings = ['abcde'];
  expect(await readTwoPages()).toEqual(['abcd', 5]);
  expect(requests).toEqual([1, 2]);
});

it('reads all pages again if the list changed meanwhile, because the total of the first one may lack an item', async () => {
  listings = ['abd', 'abcd'];
  expect(await readTwoPages()).toEqual(['abcd', 4]);
  expect(requests).toEqual([1, 2, 1, 2]);
});

it('shows what it has read if the list changes each time', async () => {
  listings = ['abd', 'abcd', 'abd', 'abcd'];
  expect(await readTwoPages()).toEqual(['abcd', 3]);
  expect(requests).toEqual([1, 2, 1, 2]);
});
