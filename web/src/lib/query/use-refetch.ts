import { useCallback } from 'react';
import { useQueryCache, useStaleRefetch } from './swr-config.ts';

type Refetch = (...paths: readonly string[]) => void;

/**
 * Requests responses again at once, whose values only the server knows. Does not report failures: the write has succeeded,
 * and failed requests are repeated.
 */
export function useRefetch(): Refetch {
  const refetchKeys = useRefetchKeys();
  return useCallback((...paths) => refetchKeys((key) => paths.some((path) => key.startsWith(path))), [refetchKeys]);
}

export function useRefetchKeys() {
  const cache = useQueryCache();
  const staleRefetch = useStaleRefetch();
  return useCallback(
    (isAffected: (key: string) => boolean) => {
      const keys = [...cache.keys()].filter(isAffected);
      for (const key of keys) cache.markStale(key);
      staleRefetch.refetchNow(keys.filter((key) => cache.isObserved(key)));
    },
    [cache, staleRefetch],
  );
}
