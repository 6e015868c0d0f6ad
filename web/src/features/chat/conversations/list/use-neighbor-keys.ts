import { type RefObject, useEffect } from 'react';
import { isCovered } from '#ui/overlays/is-covered.ts';

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Alt+↑ and Alt+↓ open the previous and the next conversation of the list. */
export function useNeighborKeys(rows: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (step === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.defaultPrevented || isCovered()) return;
      const links = [...(rows.current?.querySelectorAll('a') ?? [])];
      const index = links.findIndex((link) => link.ariaCurrent === 'true');
      const next = index === -1 ? links.at(step > 0 ? 0 : -1) : links[index + step];
      if (!next) return;
      event.preventDefault();
      next.click();
      next.scrollIntoView({ block: 'nearest' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [rows]);
}
