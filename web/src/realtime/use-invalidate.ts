import { useCallback } from 'react';
import { useRefetch } from './use-refetch.ts';

/**
 * After a write: asks again for every mounted list below these paths, such as `/projects`. Nobody waits for it, and where it fails what
 * was written is written: `useShow` has shown it, but for what is new where only the server knows its place. The cache is one per person, so SWR's global `mutate` does not reach it.
 */
export function useInvalidate(): (...paths: readonly string[]) => void {
  const askAgain = useRefetch();
  return useCallback(
    (...paths) => askAgain((key) => paths.some((path) => key.startsWith(path)), { isDemanded: true }),
    [askAgain],
  );
}
