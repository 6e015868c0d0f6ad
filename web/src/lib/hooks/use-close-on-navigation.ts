import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useStableCallback } from './use-stable-callback.ts';

/** Closes an overlay that is not part of the URL when the URL changes, such as by Back. */
export function useCloseOnNavigation(close: () => void): void {
  const { key } = useLocation();
  const onChange = useStableCallback(close);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history has its own key
  useEffect(() => {
    return onChange;
  }, [key, onChange]);
}
