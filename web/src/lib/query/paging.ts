import { useEffect } from 'react';
import type { SWRResponse } from 'swr';
import type { ApiError } from '../api/api-error.ts';

type Page = { data: readonly unknown[]; total: number; page: number; totalPages: number };

export function loadMoreProps(
  query: Pick<SWRResponse<Page, ApiError>, 'data' | 'error' | 'isLoading'> & {
    mutate: () => Promise<unknown>;
  },
  pages: number,
  onPages: (pages: number) => void,
) {
  const { data, error, isLoading, mutate } = query;
  const failure = data && data.page < pages ? error : undefined;
  return {
    hasMore: data !== undefined && data.data.length < data.total,
    isLoading,
    error: failure,
    load: () => (failure ? void mutate() : onPages(pages + 1)),
  };
}

export function useClampedPage(response: Omit<Page, 'page'> | undefined, onPage: (page: number) => void): void {
  const lastPage = response && response.data.length === 0 && response.total > 0 ? response.totalPages : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that a page turns out to be past the last
  useEffect(() => {
    if (lastPage !== null) onPage(lastPage);
  }, [lastPage]);
}
