import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { notifyConnected } from '#realtime/status.ts';
import { useOlderPages } from './use-older-pages.ts';

afterEach(cleanup);

const items = (...seqs: number[]) => seqs.map((seq) => ({ _id: String(seq), seq, links: 'as read' }));
type Page = { data: ReturnType<typeof items>; next: number | null };

/** A list whose requests wait until they are released. */
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
  const asks = (count: number) => waitFor(() => expect(requests).toHaveLength(count));
  return {
    result,
    pages,
    requests,
    shown: () => result.current.items.map(({ seq }) => seq),
    async more() {
      act(() => result.current.more.load());
      await asks(requests.length + 1);
    },
    asks,
    async arrives(at: number) {
      requests[at]?.release();
      await waitFor(() => expect(result.current.more.isLoading).toBe(false));
    },
  };
}

const FIRST = { data: items(9, 8), next: 8 };

it('omits messages deleted while a page was loading, from that page and from loaded ones', async () => {
  const list = open(FIRST, { 8: { data: items(7, 6), next: 6 }, 6: { data: items(5, 4), next: null } });
  await list.more();
  act(() => list.result.current.change(7, null));
  await list.arrives(0);
  expect(list.shown()).toEqual([9, 8, 6]);
  await list.more();
  act(() => list.result.current.change(6, null));
  act(() => list.result.current.change(4, null));
  await list.arrives(1);
  expect(list.shown()).toEqual([9, 8, 5]);
});

it('shows the current contents of an edited message within the loaded range', async () => {
  const list = open(FIRST, { 8: { data: items(7, 5), next: 5 } });
  const edited = (seq: number) => ({ _id: String(seq), seq, links: 'edited' });
  await list.more();
  act(() => list.result.current.change(5, edited(5)));
  await list.arrives(0);
  for (const seq of [7, 6, 2]) act(() => list.result.current.change(seq, edited(seq)));
  expect(list.result.current.items.map(({ seq, links }) => [seq, links])).toEqual([
    [9, 'as read'],
    [8, 'as read'],
    [7, 'edited'],
    [6, 'edited'],
    [5, 'edited'],
  ]);
});

it('reloads as many pages as were shown after a reconnect, then any page requested in the meantime', async () => {
  const list = open(FIRST, { 8: { data: items(7, 6), next: 6 }, 4: { data: items(3), next: null } });
  act(notifyConnected);
  expect(list.requests).toEqual([]);
  await list.more();
  await list.arrives(0);
  Object.assign(list.pages, { undefined: FIRST, 8: { data: items(7, 4), next: 4 } });
  act(notifyConnected);
  act(() => list.result.current.more.load());
  await list.asks(2);
  for (let at = 1; at < 3; at += 1) {
    list.requests[at]?.release();
    await list.asks(at + 2);
  }
  await waitFor(() => expect(list.shown()).toEqual([9, 8, 7, 4]));
  await list.arrives(3);
  expect(list.shown()).toEqual([9, 8, 7, 4, 3]);
  expect(list.requests.map(({ before }) => before)).toEqual(['8', 'undefined', '8', '4']);
});
