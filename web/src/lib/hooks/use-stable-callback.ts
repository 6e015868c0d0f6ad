import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function of stable identity that calls the latest callback: for handlers of memoized components. Must not be called
 * during render.
 */
export function useStableCallback<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args) => latest.current(...args), []);
}
