import { createContext, useContext, useEffect } from 'react';
import { createListeners } from '../listeners.ts';

const navigationBlockers = new Set<object>();
/** Blocked by work that survives navigation within the app but not closing the tab. */
const unloadBlockers = new Set<object>();

function blockNavigation(): () => void {
  return addBlocker(navigationBlockers);
}

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

const blockListeners = createListeners();

/** Calls the listener when leaving starts to need confirmation. */
export const onUnloadBlocked = blockListeners.subscribe;

function updateListener(): void {
  if (isUnloadBlocked()) {
    window.addEventListener('beforeunload', warn);
    blockListeners.notify();
  } else {
    window.removeEventListener('beforeunload', warn);
  }
}

export function isUnloadBlocked(): boolean {
  return unloadBlockers.size > 0 || isNavigationBlocked();
}

export function isNavigationBlocked(): boolean {
  return navigationBlockers.size > 0;
}

/** Changes on this page are lost by leaving or reloading it; drafts and uploads elsewhere, by logging out. */
export type Loss = 'page' | 'reload' | 'elsewhere';
type LeaveHandler = (go: () => void, loss: Loss) => void;

let confirmLeave: LeaveHandler = (go) => go();

export function onLeaveRequest(handler: LeaveHandler): () => void {
  confirmLeave = handler;
  return () => {
    confirmLeave = (go) => go();
  };
}

/** Asks for confirmation if leaving loses changes on this page, or elsewhere (`losesWorkElsewhere`). */
export function leavePage(go: () => void, losesWorkElsewhere = false): void {
  if (isNavigationBlocked()) confirmLeave(go, 'page');
  else if (losesWorkElsewhere) confirmLeave(go, 'elsewhere');
  else go();
}

export function reloadPage(prepare?: () => void): void {
  const reload = () => {
    prepare?.();
    window.removeEventListener('beforeunload', warn);
    window.location.reload();
  };
  if (isUnloadBlocked()) confirmLeave(reload, 'reload');
  else reload();
}

let isUnblocked = false;

/** Navigates without confirmation, for an overlay that closes by going back. */
export function navigateUnblocked(navigate: () => void): void {
  isUnblocked = true;
  try {
    navigate();
  } finally {
    isUnblocked = false;
  }
}

export const isNavigatingUnblocked = (): boolean => isUnblocked;

/** The browser shows its own text. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export type DialogClosing = {
  hold: () => () => void;
  close: () => void;
};

export const DialogClosingContext = createContext<DialogClosing | null>(null);

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
