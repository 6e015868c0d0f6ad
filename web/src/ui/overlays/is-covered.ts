/** Returns whether a dialog covers the screen, so that the screen must not handle keys and files. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
