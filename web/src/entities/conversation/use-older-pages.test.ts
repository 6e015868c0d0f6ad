import { expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { useOlderPages } from './use-older-pages.ts';

const files = (...seqs: number[]) => seqs.map((seq) => ({ _id: String(seq), seq }));

it('shows nothing that went while more was asked for, of the page that comes as of those that are there', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pages = [
    { data: files(7, 6), next: 5 },
    { data: files(5, 4), next: null },
  ];
  let asked = 0;
  const { result } = renderHook(() =>
    useOlderPages({
      first: { data: files(9, 8), next: 7 },
      async readBefore() {
        const at = asked++;
        await gates[at]?.promise;
        return pages[at] ?? { data: [], next: null };
      },
      failure: 'Failed to load files',
    }),
  );
  const shown = () => result.current.items.map(({ seq }) => seq);
  const arrives = async (at: number) => {
    gates[at]?.resolve();
    await waitFor(() => expect(result.current.isLoadingMore).toBe(false));
  };
  act(() => result.current.loadMore());
  act(() => result.current.dropOlder(7));
  await arrives(0);
  expect(shown()).toEqual([9, 8, 6]);
  act(() => result.current.loadMore());
  act(() => result.current.dropOlder(6));
  act(() => result.current.dropOlder(4));
  await arrives(1);
  expect(shown()).toEqual([9, 8, 5]);
});
