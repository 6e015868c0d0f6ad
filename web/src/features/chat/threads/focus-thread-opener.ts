/** Attribute of the elements that open a thread. */
export const THREAD_OF = 'data-thread-of';

/** Focuses what opened a thread, or the composer if that is not rendered any more. */
export function focusThreadOpener(root: string): void {
  const opener = document.querySelector<HTMLElement>(`[${THREAD_OF}="${CSS.escape(root)}"]`);
  const composer = document.querySelector<HTMLElement>('main textarea');
  (opener ?? composer)?.focus({ preventScroll: true });
}
