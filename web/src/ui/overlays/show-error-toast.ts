import { messageOf } from '#lib/api/api-error.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { showError } from './toast.ts';

/** Shows an error toast. Returns the failure for `FormFailure`, which shows the reason without announcing it again. */
export function announceFailure(title: string, reason: string): AnnouncedFailure {
  showError(title, reason);
  return { reason, isAnnounced: true };
}

/** Shows why an action failed: the server's message, or the given one. */
export const showErrorToast = (error: unknown, fallback: string, title = 'Error'): AnnouncedFailure =>
  announceFailure(title, messageOf(error, fallback));

type Failing = {
  form: { setFailure: (failure: AnnouncedFailure) => void };
  /** Whether a field already shows the reason. */
  isPlaced?: boolean;
};

/** The same for a form, which keeps the reason until the next submission. */
export function reportFailure({ form, isPlaced = false }: Failing, error: unknown, fallback: string): void {
  const failure = showErrorToast(error, fallback);
  if (!isPlaced) form.setFailure(failure);
}
