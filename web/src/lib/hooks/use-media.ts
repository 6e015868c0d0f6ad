import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window is so: `useMedia(theme.media.small)`. For what is not worth drawing out of sight; the rest is a style. */
export function useMedia(rule: string): boolean {
  const query = rule.replace('@media ', '');
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
