import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { focusScreen } from './focus-screen.ts';
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
