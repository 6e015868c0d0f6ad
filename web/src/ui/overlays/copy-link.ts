import { showError, showSuccess } from './toast.ts';

/** Puts an address on the clipboard, or shows it where that is not to be had. */
export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    showSuccess('Link copied');
  } catch {
    // A page that came over plain HTTP has no clipboard.
    showError('The link could not be copied', address);
  }
}
