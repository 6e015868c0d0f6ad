let isPressed = false;

window.addEventListener('pointerdown', () => setPressed(true), true);
window.addEventListener('pointerup', () => setPressed(false), true);
window.addEventListener('pointercancel', () => setPressed(false), true);

function setPressed(next: boolean): void {
  isPressed = next;
}

/** Waits until the pointer is up: a validation error on blur would otherwise move the button away from under it. */
export function afterPointerUp(task: () => unknown): void {
  if (!isPressed) return void task();
  const run = () => {
    window.removeEventListener('pointerup', run);
    window.removeEventListener('pointercancel', run);
    setTimeout(task);
  };
  window.addEventListener('pointerup', run);
  window.addEventListener('pointercancel', run);
}
