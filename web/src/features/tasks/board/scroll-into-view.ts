import type { FocusEvent } from 'react';

const FRAMES = 10;

/**
 * Keeps a card in view that a key went to. Cards far away are as tall as a guess until they are drawn, so what is above it may push it
 * out again in the frames after it came into view.
 */
export function keepInView({ target }: FocusEvent): void {
  let left = FRAMES;
  const look = () => {
    // A pointer presses only what is in view.
    if (document.activeElement !== target || !target.matches('[role="row"][data-focus-visible]')) return;
    target.scrollIntoView({ block: 'nearest' });
    left -= 1;
    if (left > 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
