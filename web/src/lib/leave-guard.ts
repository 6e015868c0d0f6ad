/** Forms on this page that hold what was not saved. While there is one, leaving asks first. */
const holders = new Set<object>();

/** Makes leaving the page ask, and the tab too; the returned function lets go. */
export function holdPage(): () => void {
  const holder = {};
  if (holders.size === 0) window.addEventListener('beforeunload', warn);
  holders.add(holder);
  return () => {
    holders.delete(holder);
    if (holders.size === 0) window.removeEventListener('beforeunload', warn);
  };
}

export function isPageHeld(): boolean {
  return holders.size > 0;
}

type OnAsk = (go: () => void) => void;

let ask: OnAsk = (go) => go();

/** Whoever asks before a held page is left; `go` leaves after all. */
export function onLeave(onAsk: OnAsk): () => void {
  ask = onAsk;
  return () => {
    ask = (go) => go();
  };
}

/** Does what ends the page, such as signing out: at once, or after the question while something is held, or `isLosing` what is not on it. */
export function leavePage(go: () => void, isLosing = false): void {
  if (isLosing || isPageHeld()) ask(go);
  else go();
}

/** The browser asks in its own words. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
