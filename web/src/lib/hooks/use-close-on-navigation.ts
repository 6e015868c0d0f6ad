import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useStableCallback } from './use-stable-callback.ts';

/** Closes an overlay that is not part of the address when the address changes, as by Back: it belongs to the page that it was opened over. */
export function useCloseOnNavigation(close: () => void): void {
  const { key } = useLocation();
  const onChange = useStableCallback(close);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history has its own key
  useEffect(() => {
    return onChange;
  }, [key, onChange]);
}
