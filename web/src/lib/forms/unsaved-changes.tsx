import { createContext, useContext, useEffect } from 'react';
import { blockNavigation } from './navigation-blocker.ts';

/** What a dialog offers to the form inside it. */
export type DialogClosing = {
  /** Makes closing ask; the returned function lets go. */
  hold: () => () => void;
  /** Closes, or asks first while something is held. */
  close: () => void;
};

/** Given by `ui/dialog.tsx`. */
export const DialogClosingContext = createContext<DialogClosing | null>(null);

/** While `isDirty`, leaving asks "Discard changes?": closing the dialog that the form stands in, going to another page, closing the tab. */
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

/** Closes the dialog around as its ✕ does, with the question; after a save, call the dialog's own `onClose` instead. */
export function useCloseDialog(): () => void {
  const dialog = useContext(DialogClosingContext);
  return dialog ? dialog.close : nothing;
}

const nothing = () => undefined;
