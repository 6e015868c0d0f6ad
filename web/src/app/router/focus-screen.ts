/** Overlays that restore the focus when they close, which must happen first. */
const OVER_THE_SCREEN = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/**
 * Focuses the screen once its heading is rendered and no overlay is open, unless one of its fields has the focus. The
 * returned function cancels.
 */
export function focusScreen(): () => void {
  let frame = 0;
  const tryFocus = () => {
    cancelAnimationFrame(frame);
    // In the next frame, after fields with autofocus.
    frame = requestAnimationFrame(() => {
      const main = document.querySelector('main');
      if (!main?.querySelector('h1') || document.querySelector(OVER_THE_SCREEN)) return;
      changes.disconnect();
      if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
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
