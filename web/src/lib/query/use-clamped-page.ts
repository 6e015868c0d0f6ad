import { useEffect } from 'react';

type Page = { data: readonly unknown[]; total: number; totalPages: number };

/** Goes to the last page when the current one no longer exists. */
export function useClampedPage(response: Page | undefined, onPage: (page: number) => void): void {
  const lastPage = response && response.data.length === 0 && response.total > 0 ? response.totalPages : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that a page turns out to be past the last
  useEffect(() => {
    if (lastPage !== null) onPage(lastPage);
  }, [lastPage]);
}
