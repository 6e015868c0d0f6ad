import { useCallback } from 'react';
import { useRefetch } from './use-refetch.ts';

/**
 * Refetches every mounted query below these paths, such as `/projects`, after a write. Failures are not reported: the
 * write has succeeded, and `useCacheUpdate` shows it. The cache is per user, so SWR's global `mutate` does not reach
 * it.
 */
export function useInvalidate(): (...paths: readonly string[]) => void {
  const refetch = useRefetch();
  return useCallback(
    (...paths) => refetch((key) => paths.some((path) => key.startsWith(path)), { isImmediate: true }),
    [refetch],
  );
}
