import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { focusWhenUncovered } from '#lib/focus-when-uncovered.ts';
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

/** Waits for the heading; a focused field of the screen keeps focus. */
function focusScreen(): () => void {
  return focusWhenUncovered(
    () => document.querySelector<HTMLElement>('main:has(h1)'),
    (main) => {
      if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
    },
  );
}
