import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { ScrollPositions } from './scroll-positions.ts';

/**
 * Does what browsers do on page loads: a new screen starts at its top, a revisited one at its previous position, and
 * focus moves to it, so that screen readers announce it.
 */
export function NavigationEffects() {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  const [positions] = useState(() => new ScrollPositions());
  const previousPathname = useRef<string | null>(null);
  useEffect(() => {
    return positions.follow();
  }, [positions]);
  useLayoutEffect(() => {
    const isNewScreen = previousPathname.current !== pathname;
    const isFirst = previousPathname.current === null;
    previousPathname.current = pathname;
    // The browser scrolls to the hash.
    if (hash) return undefined;
    // Direct visits all have the same key.
    const entryKey = `${key} ${pathname}`;
    if (type === 'POP') positions.restore(entryKey);
    else if (isNewScreen) positions.begin(entryKey);
    else positions.stay(entryKey);
    return isNewScreen && !isFirst ? focusScreen() : undefined;
  }, [key, pathname, hash, type, positions]);
  return null;
}

/** Overlays restore focus when they close, which must happen before focus moves to the screen. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Waits for the heading and for overlays to close; a focused field of the screen keeps focus. */
function focusScreen(): () => void {
  let frame = 0;
  const tryFocus = () => {
    cancelAnimationFrame(frame);
    // Waits for the next frame, because fields with autofocus take focus in this one.
    frame = requestAnimationFrame(() => {
      const main = document.querySelector('main');
      if (!main?.querySelector('h1') || document.querySelector(OVERLAYS)) return;
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
