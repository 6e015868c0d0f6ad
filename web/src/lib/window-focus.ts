/** What arrives in a hidden tab or an unfocused window is not read. */
export const isWindowFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** After this time without input, the user may have left. */
const IDLE_MS = 5 * 60_000;
let lastInputAt = performance.now();
const onInput = () => {
  lastInputAt = performance.now();
};
for (const type of ['focus', 'keydown', 'pointerdown', 'pointermove', 'wheel'])
  window.addEventListener(type, onInput, { capture: true, passive: true });

/** Whether the user is likely to see what the page shows. */
export const isUserActive = (): boolean => isWindowFocused() && performance.now() - lastInputAt < IDLE_MS;

/** Calls the listener when the window may have gained focus, until the returned function is called. */
export function onWindowFocus(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  window.addEventListener('focus', notify);
  return () => {
    document.removeEventListener('visibilitychange', notify);
    window.removeEventListener('focus', notify);
  };
}
