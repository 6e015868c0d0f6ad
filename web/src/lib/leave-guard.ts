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

/** The browser asks in its own words. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
