import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { loadChunk } from '../../lib/lazy.ts';
import { QueryCache } from '../../lib/query/query-cache.ts';
import { unread } from '../../realtime/unread/unread.ts';
import { useRefetch } from '../../realtime/use-refetch.ts';

/** Follows the server's changes while someone is signed in; the socket library comes after the first paint. */
export function useLiveUpdates(): void {
  const refresh = useRefetch();
  const { cache } = useSWRConfig();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void loadChunk(() => import('./start-live-sync.ts')).then(({ followChanges }) => {
      if (isOver) return;
      const answers = cache instanceof QueryCache ? cache : new QueryCache();
      stop = followChanges({ refresh, answers, unread });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [refresh, cache]);
}
