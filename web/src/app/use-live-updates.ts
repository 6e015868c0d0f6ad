import { useEffect } from 'react';
import { useSWRConfig } from 'swr';

/** Follows the server's changes while someone is signed in; the socket library comes after the first paint. */
export function useLiveUpdates(): void {
  const { mutate } = useSWRConfig();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void import('../realtime/follow-changes.ts').then(({ followChanges }) => {
      if (!isOver) stop = followChanges((isStale) => void mutate(isStale));
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [mutate]);
}
