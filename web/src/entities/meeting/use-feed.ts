import type { Feed, getFeed } from '@atrium/proto-events/http/meeting-feed';
import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { keyOf } from '../../lib/query/keys.ts';
import { useRead } from '../../lib/query/use-read.ts';

/** Whether calendar programs can subscribe to the signed-in person's meetings. */
export function useFeed() {
  return useRead<typeof getFeed>('GET /meetings/feed', {});
}

/** Shows the feed that a write returned, or that it ended, without another request. */
export function useShowFeed(): (feed: Feed | null) => void {
  const { mutate } = useSWRConfig();
  return useCallback(
    (feed) => void mutate(keyOf<typeof getFeed>('GET /meetings/feed', {}), { feed }, { revalidate: false }),
    [mutate],
  );
}
