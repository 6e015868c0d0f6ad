import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { notifyConnected } from '#realtime/connection/status.ts';
import { useOlderPages } from './use-older-pages.ts';

afterEach(cleanup);

/** Builds the item of a message that was sent in this second. */
const item = (second: number, links: string) => ({
  _id: String(second),
  message: String(second),
  createdAt: new Date(second * 1_000).toISOString(),
  links,
});
const items = (...seconds: number[]) => seconds.map((second) => item(second, 'original'));
type Page = { data: ReturnType<typeof items>; next: number | null };

/** Renders a list whose requests wait until they are released. */
function open(first: Page, pages: Record<string, Page>) {
  const requests: { before: string; release: () => void }[] = [];
  const { result } = renderHook(() =>
    useOlderPages({
      first,
      async read(before?: number) {
        const { promise, resolve } = Promise.withResolvers<void>();
        requests.push({ before: String(before), release: resolve });
        await promise;
        return pages[String(before)] ?? { data: [], next: null };
      },
      failure: 'Failed to load files',
    }),
  );
  const waitForRequests = (count: number) => waitFor(() => expect(requests).toHaveLength(count));
  return {
    result,
    pages,
    requests,
    getSeconds: () => result.current.items.map(({ _id }) => Number(_id)),
    async loadMore() {
      act(() => result.current.more.load());
      await waitForRequests(requests.length + 1);
    },
    waitForRequests,
    async respond(index: number) {
      requests[index]?.release();
      await waitFor(() => expect(result.current.more.isLoading).toBe(false));
    },
  };
}

const FIRST = { data: items(9, 8), next: 8 };

it('useOlderPages omits messages deleted while a page was loading, from that page and from loaded ones', async () => {
  const list = open(FIRST, { 8: { data: items(7, 6), next: 6 }, 6: { data: items(5, 4), next: null } });
  await list.loadMore();
  act(() => list.result.current.change('7', null));
  await list.respond(0);
  expect(list.getSeconds()).toEqual([9, 8, 6]);
  await list.loadMore();
  act(() => list.result.current.change('6', null));
  act(() => list.result.current.change('4', null));
  await list.respond(1);
  expect(list.getSeconds()).toEqual([9, 8, 5]);
});

it('useOlderPages shows the current contents of an edited message within the loaded range', async () => {
  const list = open(FIRST, { 8: { data: items(7, 5), next: 5 } });
  await list.loadMore();
  act(() => list.result.current.change('5', item(5, 'edited')));
  await list.respond(0);
  for (const second of [7, 6, 2]) act(() => list.result.current.change(String(second), item(second, 'edited')));
  expect(list.result.current.items.map(({ _id, links }) => [Number(_id), links])).toEqual([
    [9, 'original'],
    [8, 'original'],
    [7, 'edited'],
    [6, 'edited'],
    [5, 'edited'],
  ]);
});

it('useOlderPages reloads the shown pages after a reconnect, then loads a page requested meanwhile', async () => {
  const list = open(FIRST, { 8: { data: items(7, 6), next: 6 }, 4: { data: items(3), next: null } });
  act(notifyConnected);
  expect(list.requests).toEqual([]);
  await list.loadMore();
  await list.respond(0);
  Object.assign(list.pages, { undefined: FIRST, 8: { data: items(7, 4), next: 4 } });
  act(notifyConnected);
  act(() => list.result.current.more.load());
  await list.waitForRequests(2);
  for (let index = 1; index < 3; index += 1) {
    list.requests[index]?.release();
    await list.waitForRequests(index + 2);
  }
  await waitFor(() => expect(list.getSeconds()).toEqual([9, 8, 7, 4]));
  await list.respond(3);
  expect(list.getSeconds()).toEqual([9, 8, 7, 4, 3]);
  expect(list.requests.map(({ before }) => before)).toEqual(['8', 'undefined', '8', '4']);
});
