/** What takes the focus back as it goes: it has to be gone first. */
const OVER_THE_SCREEN = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/**
 * Puts the focus on the screen once it has its heading, which names it, and nothing stands over it any more; not where a field of the
 * screen has taken it already. The returned function gives up.
 */
export function focusScreen(): () => void {
  let frame = 0;
  const look = () => {
    cancelAnimationFrame(frame);
    // A frame later, so that a field that takes the focus as it comes has done so.
    frame = requestAnimationFrame(() => {
      const main = document.querySelector('main');
      if (!main?.querySelector('h1') || document.querySelector(OVER_THE_SCREEN)) return;
      changes.disconnect();
      if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
    });
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true });
  look();
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
  };
}
