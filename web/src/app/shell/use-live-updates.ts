import { useEffect } from 'react';
import { loadChunk } from '#lib/lazy.ts';
import { useQueryCache, useStaleRefetch } from '#lib/query/swr-config.ts';
import { unread } from '#realtime/unread.ts';

/** Applies server changes while the user is signed in; the socket library loads after the first paint. */
export function useLiveUpdates(): void {
  const cache = useQueryCache();
  const staleRefetch = useStaleRefetch();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void loadChunk(() => import('./start-live-sync.ts')).then(({ startLiveSync }) => {
      if (!isOver) stop = startLiveSync({ cache, staleRefetch, unread });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [cache, staleRefetch]);
}
