import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { loadChunk } from '#lib/lazy.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { unread } from '#realtime/unread.ts';
import { useRefetch } from '#realtime/use-refetch.ts';

/** Applies server changes while the user is signed in; the socket library loads after the first paint. */
export function useLiveUpdates(): void {
  const refetch = useRefetch();
  const { cache: swrCache } = useSWRConfig();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void loadChunk(() => import('./start-live-sync.ts')).then(({ startLiveSync }) => {
      if (isOver) return;
      const cache = swrCache instanceof QueryCache ? swrCache : new QueryCache();
      stop = startLiveSync({ refetch, cache, unread });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [refetch, swrCache]);
}
