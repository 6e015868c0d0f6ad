import { type RefObject, useEffect, useRef } from 'react';

/** Moves focus to another element when the focused component is removed. Returns the props of its button. */
export function useFocusOnRemoval(target: RefObject<HTMLElement | null>, { preventScroll = false } = {}) {
  const isFocused = useRef(false);
  // Afterward, because the target may be replaced at the same time.
  useEffect(() => {
    return () => {
      if (isFocused.current) target.current?.focus({ preventScroll });
    };
  }, [target, preventScroll]);
  return {
    onFocusChange: (next: boolean) => {
      isFocused.current = next;
    },
  };
}
