import { useCallback } from 'react';
import { useSWRConfig } from 'swr';

/** After a write: asks again for every mounted list below these paths, such as `/projects`. The cache is one per person, so SWR's global `mutate` does not reach it. */
export function useRefresh(): (...paths: readonly string[]) => Promise<void> {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (...paths) => {
      await mutate((key) => typeof key === 'string' && paths.some((path) => key.startsWith(path)));
    },
    [mutate],
  );
}
