/** Whether a dialog covers the page, and receives keys and files instead. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
