/** Attribute of the elements that open a thread. */
export const THREAD_OF = 'data-thread-of';

/** Focuses what opened a thread, or the composer if that is not rendered anymore, unless focus is elsewhere already. */
export function focusThreadOpener(root: string): void {
  // After a navigation, the screen itself has focus.
  if (document.activeElement !== null && !document.activeElement.matches('body, main')) return;
  const opener = document.querySelector<HTMLElement>(`[${THREAD_OF}="${CSS.escape(root)}"]`);
  const composer = document.querySelector<HTMLElement>('main textarea');
  (opener ?? composer)?.focus({ preventScroll: true });
}
