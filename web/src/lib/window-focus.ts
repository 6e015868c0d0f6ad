/** What arrives in a hidden tab or an unfocused window is not read. */
export const isWindowFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Calls the listener when the window may have gained focus, until the returned function is called. */
export function onWindowFocus(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  window.addEventListener('focus', notify);
  return () => {
    document.removeEventListener('visibilitychange', notify);
    window.removeEventListener('focus', notify);
  };
}
