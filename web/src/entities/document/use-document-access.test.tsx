import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { applyChanges } from '#realtime/live-changes.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useMissingAccess } from './use-document-access.ts';

const [ada, ben, cleo] = ['a', 'b', 'c'].map((letter) => buildUser(letter)._id) as [string, string, string];

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

it('useMissingAccess refetches when participants change, and meanwhile omits those who left', async () => {
  signInAs(buildUser('z'));
  const requests: string[][] = [];
  const gate = Promise.withResolvers<void>();
  ({ stop } = await startApi(async ({ body }) => {
    const { userIds } = body as { userIds: string[] };
    requests.push(userIds);
    if (requests.length > 1) await gate.promise;
    return { status: 200, body: { asked: userIds.length, cannotOpen: userIds.map((_id) => ({ _id })) } };
  }));
  const { result, rerender } = renderHook(
    ({ userIds }) => useMissingAccess('d'.repeat(24), 'c'.repeat(24), userIds)?.cannotOpen.map(({ _id }) => _id),
    { wrapper, initialProps: { userIds: [ada, ben] } },
  );
  await waitFor(() => expect(result.current).toEqual([ada, ben]));
  rerender({ userIds: [ben, ada] });
  expect(requests).toHaveLength(1);
  rerender({ userIds: [ada, cleo] });
  expect(result.current).toEqual([ada]);
  gate.resolve();
  await waitFor(() => expect(result.current).toEqual([ada, cleo]));
  expect(requests).toEqual([
    [ada, ben],
    [ada, cleo],
  ]);
});

it('useMissingAccess refetches when someone else shares the document', async () => {
  const user = buildUser('z');
  signInAs(user);
  const cache = new QueryCache();
  let cannotOpen = [{ _id: ada }];
  ({ stop } = await startApi(async () => ({ status: 200, body: { asked: 1, cannotOpen } })));
  const { result } = renderHook(() => useMissingAccess('d'.repeat(24), 'c'.repeat(24), [ada])?.cannotOpen.length, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <SWRConfig value={{ ...swrConfig, provider: () => cache }}>{children}</SWRConfig>
    ),
  });
  await waitFor(() => expect(result.current).toBe(1));
  cannotOpen = [];
  const shared: Change = {
    resource: 'document',
    id: 'd'.repeat(24),
    action: 'updated',
    version: 2,
    tags: ['documents'],
    changed: ['sharedWith'],
  };
  act(() => applyChanges(cache, { changes: [shared] }, user));
  await waitFor(() => expect(result.current).toBe(0));
});
