import { useSyncExternalStore } from 'react';

function subscribe(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  return () => document.removeEventListener('visibilitychange', notify);
}

export const isPageVisible = (): boolean => document.visibilityState === 'visible';

/** Whether the page can be seen: what arrives in a hidden tab has not been read. */
export function useIsPageVisible(): boolean {
  return useSyncExternalStore(subscribe, isPageVisible);
}
