import { useEffect } from 'react';
import { loadChunk } from '#lib/lazy.ts';
import { useQueryCache } from '#lib/query/swr-config.ts';
import { unread } from '#realtime/unread.ts';
import { useRefetch } from '#realtime/use-refetch.ts';

/** Applies server changes while the user is signed in; the socket library loads after the first paint. */
export function useLiveUpdates(): void {
  const refetch = useRefetch();
  const cache = useQueryCache();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void loadChunk(() => import('./start-live-sync.ts')).then(({ startLiveSync }) => {
      if (!isOver) stop = startLiveSync({ refetch, cache, unread });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [refetch, cache]);
}
