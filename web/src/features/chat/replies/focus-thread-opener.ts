import { useEffect, useRef } from 'react';

/** Attribute of the elements that open a thread. */
export const THREAD_OF = 'data-thread-of';

/** Focuses what opened a thread, or the composer if that is not rendered anymore, unless focus is elsewhere already. */
function focusThreadOpener(root: string): void {
  // After a navigation, the screen itself has focus.
  if (document.activeElement !== null && !document.activeElement.matches('body, main')) return;
  const opener = document.querySelector<HTMLElement>(`[${THREAD_OF}="${CSS.escape(root)}"]`);
  const composer = document.querySelector<HTMLElement>('main textarea');
  (opener ?? composer)?.focus({ preventScroll: true });
}

/** Focus returns to what opened a thread. */
export function useFocusAfterThread(openRoot: string | null): void {
  const previous = useRef(openRoot);
  useEffect(() => {
    const closed = previous.current;
    previous.current = openRoot;
    if (closed === null || openRoot !== null) return;
    const frame = requestAnimationFrame(() => focusThreadOpener(closed));
    return () => cancelAnimationFrame(frame);
  }, [openRoot]);
}
