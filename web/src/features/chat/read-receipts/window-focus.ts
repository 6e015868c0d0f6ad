/** Whether somebody is looking: what arrives in a hidden tab, or behind another window, has not been read. */
export const isWindowFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Calls back when the window may have become focused, until the returned function ends it. */
export function onWindowFocus(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  window.addEventListener('focus', notify);
  return () => {
    document.removeEventListener('visibilitychange', notify);
    window.removeEventListener('focus', notify);
  };
}
