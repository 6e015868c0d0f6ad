import type { SWRResponse } from 'swr';
import type { ApiError } from '../api/api-error.ts';

type Page = { data: readonly unknown[]; total: number; page: number };

/** The props of a "Show more" button for `useInfinitePages`; a failed page is retried before the next is requested. */
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
