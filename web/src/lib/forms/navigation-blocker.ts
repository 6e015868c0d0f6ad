/** Forms on this page that hold what was not saved. While there is one, leaving asks first. */
const forms = new Set<object>();
/** What lives as long as the tab does: going elsewhere in the app does it no harm. */
const works = new Set<object>();

/** Makes leaving the page ask, and the tab too; the returned function lets go. */
export function blockNavigation(): () => void {
  return hold(forms);
}

/** Makes closing the tab ask, or loading it anew. */
export function blockUnload(): () => void {
  return hold(works);
}

function hold(holders: Set<object>): () => void {
  const holder = {};
  holders.add(holder);
  follow();
  return () => {
    holders.delete(holder);
    follow();
  };
}

function follow(): void {
  if (isTabHeld()) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** Whether something is lost if the page is loaded anew. */
export function isTabHeld(): boolean {
  return works.size > 0 || isPageHeld();
}

export function isPageHeld(): boolean {
  return forms.size > 0;
}

/** What is lost: changes on this page by leaving or reloading it, or drafts and uploads elsewhere by logging out. */
export type Loss = 'page' | 'reload' | 'elsewhere';
type OnAsk = (go: () => void, loss: Loss) => void;

let ask: OnAsk = (go) => go();

/** Whoever asks before a held page is left; `go` leaves after all. */
export function onUserLeft(onAsk: OnAsk): () => void {
  ask = onAsk;
  return () => {
    ask = (go) => go();
  };
}

/** Does what ends the page, such as signing out: at once, or after the question while something is held, or `isLosing` what is not on it. */
export function leavePage(go: () => void, isLosing = false): void {
  if (isPageHeld()) ask(go, 'page');
  else if (isLosing) ask(go, 'elsewhere');
  else go();
}

/** Loads the page anew, after the question while something is held; the browser does not ask again. */
export function reloadPage(prepare?: () => void): void {
  const reload = () => {
    prepare?.();
    window.removeEventListener('beforeunload', warn);
    window.location.reload();
  };
  if (isTabHeld()) ask(reload, 'reload');
  else reload();
}

let freeSteps = 0;

/** Takes a step that nobody is asked about: back from what code opened itself over the same page. It is free until it is done. */
export async function navigateUnblocked(step: () => void | Promise<void>): Promise<void> {
  freeSteps += 1;
  try {
    await step();
  } finally {
    freeSteps -= 1;
  }
}

export function isGoingFreely(): boolean {
  return freeSteps > 0;
}

/** The browser asks in its own words. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
