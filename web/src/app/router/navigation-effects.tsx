import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { focusScreen } from './focus-screen.ts';
import { ScrollPositions } from './scroll-positions.ts';

/**
 * What a browser does by itself when a page follows a page: one that is gone to begins at its top, one that is come back to is where
 * it was left, and the focus is on it, which tells a screen reader its name.
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
    // The place of a hash is the browser's to find.
    if (hash) return undefined;
    // Every address that is opened by itself has the same key.
    const entry = `${key} ${pathname}`;
    if (type === 'POP') positions.restore(entry);
    else if (isElsewhere) positions.begin(entry);
    else positions.stay(entry);
    return isElsewhere && !isFirst ? focusScreen() : undefined;
  }, [key, pathname, hash, type, positions]);
  return null;
}
