import { useEffect, useRef } from 'react';
import { useStableCallback } from './use-stable-callback.ts';

/** Moves focus to another element when the focused component is removed. Returns the props of its button. */
export function useFocusOnRemoval(findTarget: () => HTMLElement | null | undefined, { preventScroll = false } = {}) {
  const isFocused = useRef(false);
  const moveFocus = useStableCallback(() => {
    if (isFocused.current) findTarget()?.focus({ preventScroll });
  });
  // Afterward, because the target may be added or replaced at the same time.
  useEffect(() => {
    return moveFocus;
  }, [moveFocus]);
  return {
    onFocusChange: (next: boolean) => {
      isFocused.current = next;
    },
  };
}
