import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { ScrollPositions } from './scroll-positions.ts';

/**
 * What browsers do on page loads: a new screen starts at its top, a revisited one at its previous position, and the
 * focus moves to it, so that screen readers announce it.
 */
export function NavigationEffects() {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  const [positions] = useState(() => new ScrollPositions());
  const before = useRef<string | null>(null);
  useEffect(() => {
    return positions.follow();
  }, [positions]);
  useLayoutEffect(() => {
    const isElsewhere = before.current !== pathname;
    const isFirst = before.current === null;
    before.current = pathname;
    // The browser scrolls to the hash.
    if (hash) return undefined;
    // Direct visits all have the same key.
    const entry = `${key} ${pathname}`;
    if (type === 'POP') positions.restore(entry);
    else if (isElsewhere) positions.begin(entry);
    else positions.stay(entry);
    return isElsewhere && !isFirst ? focusScreen() : undefined;
  }, [key, pathname, hash, type, positions]);
  return null;
}

/** Overlays that restore the focus when they close, which must happen first. */
const OVER_THE_SCREEN = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Waits for the heading and for overlays to close; a focused field of the screen keeps the focus. */
function focusScreen(): () => void {
  let frame = 0;
  const tryFocus = () => {
    cancelAnimationFrame(frame);
    // In the next frame, after fields with autofocus.
    frame = requestAnimationFrame(() => {
      const main = document.querySelector('main');
      if (!main?.querySelector('h1') || document.querySelector(OVER_THE_SCREEN)) return;
      changes.disconnect();
      if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
    });
  };
  const changes = new MutationObserver(tryFocus);
  changes.observe(document.body, { childList: true, subtree: true });
  tryFocus();
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
  };
}
