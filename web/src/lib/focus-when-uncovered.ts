/** Overlays restore focus when they close, which must happen before focus moves elsewhere. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Calls `focus` once all overlays are closed and the page contains the element. The returned function cancels it. */
export function focusWhenUncovered(find: () => HTMLElement | null, focus: (element: HTMLElement) => void): () => void {
  let frame = 0;
  const tryFocus = () => {
    cancelAnimationFrame(frame);
    // Waits for the next frame, because fields with autofocus take focus in this one.
    frame = requestAnimationFrame(() => {
      const element = find();
      if (!element || document.querySelector(OVERLAYS)) return;
      changes.disconnect();
      focus(element);
    });
  };
  const changes = new MutationObserver(tryFocus);
  changes.observe(document.body, { childList: true, subtree: true });
  tryFocus();
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
  };
}
