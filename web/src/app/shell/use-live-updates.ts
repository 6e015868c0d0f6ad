import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { AnswerCache } from '../../lib/cache/answer-cache.ts';
import { patiently } from '../../lib/lazy.ts';
import { unread } from '../../realtime/unread/unread.ts';
import { useAskAgain } from '../../realtime/use-ask-again.ts';

/** Follows the server's changes while someone is signed in; the socket library comes after the first paint. */
export function useLiveUpdates(): void {
  const refresh = useAskAgain();
  const { cache } = useSWRConfig();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void patiently(() => import('./follow-changes.ts')).then(({ followChanges }) => {
      if (isOver) return;
      const answers = cache instanceof AnswerCache ? cache : new AnswerCache();
      stop = followChanges({ refresh, answers, unread });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [refresh, cache]);
}
