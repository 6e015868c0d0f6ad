/** Messages that arrive in a hidden tab or an unfocused window are not read. */
export const isWindowFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Calls back when the window may have become focused, until the returned function is called. */
export function onWindowFocus(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  window.addEventListener('focus', notify);
  return () => {
    document.removeEventListener('visibilitychange', notify);
    window.removeEventListener('focus', notify);
  };
}
