import { type RefObject, useEffect, useState } from 'react';

/** So near to the part in sight counts as in it. */
const NEAR = '200px';

/** Whether an element has come into view; from then on it stays so. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (isSeen || !element.current) return;
    const note = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    };
    const observer = new IntersectionObserver(note, { rootMargin: NEAR });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen, element]);
  return isSeen;
}
