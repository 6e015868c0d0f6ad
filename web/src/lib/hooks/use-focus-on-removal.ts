import { useEffect, useRef } from 'react';

/**
 * Moves focus to another element when the focused component is removed, without scrolling. Returns the props of its
 * button. Only the first `findTarget` is called.
 */
export function useFocusOnRemoval(findTarget: () => HTMLElement | null | undefined) {
  const isFocused = useRef(false);
  const find = useRef(findTarget);
  // Afterward, because the target may be added or replaced at the same time.
  useEffect(() => {
    return () => {
      if (isFocused.current) find.current()?.focus({ preventScroll: true });
    };
  }, []);
  return {
    onFocusChange: (next: boolean) => {
      isFocused.current = next;
    },
  };
}
