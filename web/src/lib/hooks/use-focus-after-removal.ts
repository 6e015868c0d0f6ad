import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to a list when an item that had it is removed: it would be lost, and Tab would start at the top of the page. */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    if (isFewer && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [list, count]);
}
