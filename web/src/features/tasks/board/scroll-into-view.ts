import type { FocusEvent } from 'react';

const FRAMES = 10;

/**
 * Keeps a card in view after keyboard navigation. Distant cards have estimated heights until rendered, so layout may push it out of view
 * in the following frames.
 */
export function keepInView({ target }: FocusEvent): void {
  let left = FRAMES;
  const look = () => {
    // A pointer only presses visible cards.
    if (document.activeElement !== target || !target.matches('[role="row"][data-focus-visible]')) return;
    target.scrollIntoView({ block: 'nearest' });
    left -= 1;
    if (left > 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
