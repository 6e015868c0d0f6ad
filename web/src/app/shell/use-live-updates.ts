import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { QueryCache } from '../../lib/cache/answer-cache.ts';
import { loadChunk } from '../../lib/lazy.ts';
import { unread } from '../../realtime/unread/unread.ts';
import { useRefetch } from '../../realtime/use-ask-again.ts';

/** Follows the server's changes while someone is signed in; the socket library comes after the first paint. */
export function useLiveUpdates(): void {
  const refresh = useRefetch();
  const { cache } = useSWRConfig();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void loadChunk(() => import('./follow-changes.ts')).then(({ followChanges }) => {
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
