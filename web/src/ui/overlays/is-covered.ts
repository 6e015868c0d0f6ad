/** Whether a window stands over the page: keys and files are for that one then. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
