import { createContext, useContext, useEffect } from 'react';
import { holdPage } from './leave-guard.ts';

/** What is asked before something is lost. */
export type ClosingQuestion = { title: string; text: string; keep: string; discard: string };

export const DISCARD_CHANGES: ClosingQuestion = {
  title: 'Discard changes?',
  text: 'What you changed here has not been saved.',
  keep: 'Keep editing',
  discard: 'Discard changes',
};

/** What a dialog offers to the form inside it. */
export type DialogClosing = {
  /** Makes closing ask; the returned function lets go. */
  hold: (question: ClosingQuestion) => () => void;
  /** Closes, or asks first while something is held. */
  close: () => void;
};

/** Given by `ui/dialog.tsx`. */
export const DialogClosingContext = createContext<DialogClosing | null>(null);

/**
 * While `isDirty`, leaving asks "Discard changes?": closing the dialog that the form stands in, going to another page, closing the tab.
 * Another `question`, for closing the dialog, is created once, outside of the component.
 */
export function useUnsavedChanges(isDirty: boolean, question = DISCARD_CHANGES): void {
  const dialog = useContext(DialogClosingContext);
  useEffect(() => {
    if (!isDirty) return undefined;
    const leaveDialog = dialog?.hold(question);
    const leavePage = holdPage();
    return () => {
      leaveDialog?.();
      leavePage();
    };
  }, [isDirty, dialog, question]);
}

/** Closes the dialog around as its ✕ does, with the question; after a save, call the dialog's own `onClose` instead. */
export function useCloseDialog(): () => void {
  const dialog = useContext(DialogClosingContext);
  return dialog ? dialog.close : nothing;
}

const nothing = () => undefined;
