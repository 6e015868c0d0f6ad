import { type RefObject, useEffect, useState } from 'react';

/** The side of its scroller beyond which an element is, in the direction of the text. Undefined if a part is visible. */
export function useHiddenSide(element: RefObject<Element | null>, scroller: RefObject<Element | null>) {
  const [side, setSide] = useState<'before' | 'after'>();
  useEffect(() => {
    const root = scroller.current;
    if (!root || !element.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry) setSide(entry.isIntersecting ? undefined : sideOf(entry, root));
      },
      { root },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, scroller]);
  return side;
}

function sideOf({ boundingClientRect, rootBounds }: IntersectionObserverEntry, root: Element): 'before' | 'after' {
  const isLeft = boundingClientRect.left < (rootBounds?.left ?? 0);
  return isLeft === (getComputedStyle(root).direction === 'rtl') ? 'after' : 'before';
}
