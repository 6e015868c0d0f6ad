import type { User } from '@atrium/proto-events/people';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { userResult, useSearch } from './use-search.tsx';

const ada = buildUser('a');
let stop: () => Promise<void>;

beforeEach(async () => {
  act(() => signInAs(ada));
  ({ stop } = await startApi(({ path }) => {
    if (path.includes('search=Adam'))
      return { status: 404, body: { message: 'Not now', code: 'some', requestId: 'r' } };
    const data = path.includes('/users') ? [ada] : [];
    return { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
  }));
});

afterEach(() => stop());

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

it('useSearch shows no stale results if a search fails, and reports it', async () => {
  const { result, rerender } = renderHook((query: string) => useSearch(query, []), { wrapper, initialProps: 'A' });
  await waitFor(() => expect(result.current.groups.map(({ name }) => name)).toEqual(['People']));
  rerender('Adam');
  await waitFor(() => expect(result.current.hasFailed).toBe(true));
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  expect(result.current.groups).toEqual([]);
});

it('userResult links to the direct conversation with people who can sign in, and to the team list for others', () => {
  const to = (overrides: Partial<User>) => userResult(buildUser('b', overrides), ada._id).to;
  expect(to({})).toBe(`/chat?with=${'b'.repeat(24)}`);
  expect(to({ invited: true })).toMatch(/^\/team\?/);
  expect(to({ status: 'inactive' })).toMatch(/^\/team\?/);
  expect(to({ _id: ada._id })).toMatch(/^\/team\?/);
});
