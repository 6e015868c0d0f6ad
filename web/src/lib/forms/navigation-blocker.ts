/** Forms on this page that hold what was not saved. While there is one, leaving asks first. */
const navigationBlockers = new Set<object>();
/** What lives as long as the tab does: going elsewhere in the app does it no harm. */
const unloadBlockers = new Set<object>();

/** Makes leaving the page ask, and the tab too; the returned function lets go. */
export function blockNavigation(): () => void {
  return addBlocker(navigationBlockers);
}

/** Makes closing the tab ask, or loading it anew. */
export function blockUnload(): () => void {
  return addBlocker(unloadBlockers);
}

function addBlocker(holders: Set<object>): () => void {
  const holder = {};
  holders.add(holder);
  updateListener();
  return () => {
    holders.delete(holder);
    updateListener();
  };
}

function updateListener(): void {
  if (isUnloadBlocked()) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** Whether something is lost if the page is loaded anew. */
export function isUnloadBlocked(): boolean {
  return unloadBlockers.size > 0 || isNavigationBlocked();
}

export function isNavigationBlocked(): boolean {
  return navigationBlockers.size > 0;
}

/** What is lost: changes on this page by leaving or reloading it, or drafts and uploads elsewhere by logging out. */
export type Loss = 'page' | 'reload' | 'elsewhere';
type LeaveHandler = (go: () => void, loss: Loss) => void;

let confirmLeave: LeaveHandler = (go) => go();

/** Whoever asks before a held page is left; `go` leaves after all. */
export function onLeaveRequest(handler: LeaveHandler): () => void {
  confirmLeave = handler;
  return () => {
    confirmLeave = (go) => go();
  };
}

/** Does what ends the page, such as signing out: at once, or after the question while something is held, or `isLosing` what is not on it. */
export function leavePage(go: () => void, isLosing = false): void {
  if (isNavigationBlocked()) confirmLeave(go, 'page');
  else if (isLosing) confirmLeave(go, 'elsewhere');
  else go();
}

/** Loads the page anew, after the question while something is held; the browser does not ask again. */
export function reloadPage(prepare?: () => void): void {
  const reload = () => {
    prepare?.();
    window.removeEventListener('beforeunload', warn);
    window.location.reload();
  };
  if (isUnloadBlocked()) confirmLeave(reload, 'reload');
  else reload();
}

let unblockedSteps = 0;

/** Takes a step that nobody is asked about: back from what code opened itself over the same page. It is free until it is done. */
export async function navigateUnblocked(step: () => void | Promise<void>): Promise<void> {
  unblockedSteps += 1;
  try {
    await step();
  } finally {
    unblockedSteps -= 1;
  }
}

export function isNavigatingUnblocked(): boolean {
  return unblockedSteps > 0;
}

/** The browser asks in its own words. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
