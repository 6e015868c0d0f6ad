import { useCallback } from 'react';
import { useAskAgain } from './use-ask-again.ts';

/** After a write: asks again for every mounted list below these paths, such as `/projects`. The cache is one per person, so SWR's global `mutate` does not reach it. */
export function useRefresh(): (...paths: readonly string[]) => Promise<void> {
  const askAgain = useAskAgain();
  return useCallback(
    (...paths) => askAgain((key) => paths.some((path) => key.startsWith(path)), { isAwaited: true }),
    [askAgain],
  );
}
