import type { Feed, getFeed } from '@atrium/proto-events/http/meetings/calendar-feed';
import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { REFETCH_ONLINE } from '#lib/query/swr-config.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';

export function useFeed() {
  return useRead<typeof getFeed>('GET /meetings/feed', {}, REFETCH_ONLINE);
}

export function useUpdateCachedFeed(): (feed: Feed | null) => void {
  const { mutate } = useSWRConfig();
  return useCallback(
    (feed) => void mutate(keyOf<typeof getFeed>('GET /meetings/feed', {}), { feed }, { revalidate: false }),
    [mutate],
  );
}
