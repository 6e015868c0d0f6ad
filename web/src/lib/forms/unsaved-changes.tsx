import { createContext, useContext, useEffect } from 'react';
import { blockNavigation } from './navigation-blocker.ts';

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
