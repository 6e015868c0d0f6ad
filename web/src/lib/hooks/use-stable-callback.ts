import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same and does what the one given last does: for handlers of what is memoised. Not to be called while drawing. */
export function useStableCallback<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args) => latest.current(...args), []);
}
