import type { PressEvent } from 'react-aria-components/Button';

/** Focuses the nearest message field, for a button that is about to be removed; after touch, it would open the keyboard. */
export function focusComposer({ target, pointerType }: Pick<PressEvent, 'target' | 'pointerType'>): void {
  if (pointerType === 'touch') return;
  let place = target.parentElement;
  while (place && !place.querySelector('textarea')) place = place.parentElement;
  place?.querySelector('textarea')?.focus();
}
