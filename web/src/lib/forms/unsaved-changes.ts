import { createContext, useContext, useEffect } from 'react';

/** Forms with unsaved changes on this page: leaving it asks for confirmation. */
const navigationBlockers = new Set<object>();
/** Work that survives navigation within the app but not the tab. */
const unloadBlockers = new Set<object>();

/** Asks for confirmation before leaving the page or closing the tab, until the returned function is called. */
function blockNavigation(): () => void {
  return addBlocker(navigationBlockers);
}

/** Asks for confirmation before closing or reloading the tab. */
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

/** Whether reloading would lose something. */
export function isUnloadBlocked(): boolean {
  return unloadBlockers.size > 0 || isNavigationBlocked();
}

export function isNavigationBlocked(): boolean {
  return navigationBlockers.size > 0;
}

/** What is lost: changes on this page, by leaving or reloading it, or drafts and uploads elsewhere, by logging out. */
export type Loss = 'page' | 'reload' | 'elsewhere';
type LeaveHandler = (go: () => void, loss: Loss) => void;

let confirmLeave: LeaveHandler = (go) => go();

/** Registers the confirmation; `go` leaves the page. */
export function onLeaveRequest(handler: LeaveHandler): () => void {
  confirmLeave = handler;
  return () => {
    confirmLeave = (go) => go();
  };
}

/**
 * Leaves the page, such as by signing out: after confirmation while navigation is blocked or `isLosing` something
 * elsewhere.
 */
export function leavePage(go: () => void, isLosing = false): void {
  if (isNavigationBlocked()) confirmLeave(go, 'page');
  else if (isLosing) confirmLeave(go, 'elsewhere');
  else go();
}

/** Reloads the page, after confirmation where needed; the browser shows no second confirmation. */
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

/** Navigates without confirmation, back from an overlay of the same page, until `step` is done. */
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

/** The browser shows its own text. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** What a dialog provides to the form inside it. */
export type DialogClosing = {
  /** Requires confirmation to close, until the returned function is called. */
  hold: () => () => void;
  /** Closes, after confirmation where required. */
  close: () => void;
};

/** Provided by `ui/overlays/dialog.tsx`. */
export const DialogClosingContext = createContext<DialogClosing | null>(null);

/** While `isDirty`, closing the dialog of the form, leaving the page, and closing the tab ask "Discard changes?". */
export function useUnsavedChanges(isDirty: boolean): void {
  const dialog = useContext(DialogClosingContext);
  useEffect(() => {
    if (!isDirty) return undefined;
    const leaveDialog = dialog?.hold();
    const leavePage = blockNavigation();
    return () => {
      leaveDialog?.();
      leavePage();
    };
  }, [isDirty, dialog]);
}

/** Closes the surrounding dialog like its ✕, with confirmation; after a save, call the dialog's `onClose` instead. */
export function useCloseDialog(): () => void {
  const dialog = useContext(DialogClosingContext);
  return dialog ? dialog.close : nothing;
}

const nothing = () => undefined;
