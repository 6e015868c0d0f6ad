import { useEffect } from 'react';

type Page = { data: readonly unknown[]; total: number; totalPages: number };

/** Where the last one on the last page has gone, the page before is the last now: goes there. */
export function useClampedPage(answer: Page | undefined, onPage: (page: number) => void): void {
  const lastPage = answer && answer.data.length === 0 && answer.total > 0 ? answer.totalPages : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that a page turns out to be past the last
  useEffect(() => {
    if (lastPage !== null) onPage(lastPage);
  }, [lastPage]);
}
