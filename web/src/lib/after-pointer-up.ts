let isPressed = false;

window.addEventListener('pointerdown', () => setPressed(true), true);
window.addEventListener('pointerup', () => setPressed(false), true);
window.addEventListener('pointercancel', () => setPressed(false), true);

function setPressed(next: boolean): void {
  isPressed = next;
}

/**
 * Runs at once, or, during a press, once it is over. Leaving a field by pressing a button may show a fault, which moves the button
 * away from under the pointer before it is let go.
 */
export function afterPointerUp(work: () => unknown): void {
  if (!isPressed) return void work();
  const run = () => {
    window.removeEventListener('pointerup', run);
    window.removeEventListener('pointercancel', run);
    setTimeout(work);
  };
  window.addEventListener('pointerup', run);
  window.addEventListener('pointercancel', run);
}
