import { messageOf } from '../../lib/api/api-error.ts';
import type { AnnouncedFailure } from '../../lib/forms/announced-failure.ts';
import { showError } from './toast.ts';

/** Announces a failure. The result is for `FormFailure`, which shows the reason silently: a screen reader says it once. */
export function announceFailure(title: string, reason: string): AnnouncedFailure {
  showError(title, reason);
  return { reason, isAnnounced: true };
}

/** Says why something failed that was pressed: in the server's words, or in these where it gave none. */
export const showErrorToast = (error: unknown, otherwise: string, title = 'Error'): AnnouncedFailure =>
  announceFailure(title, messageOf(error, otherwise));

type Failing = {
  form: { setFailure: (failure: AnnouncedFailure) => void };
  /** Whether the reason is next to a field already. */
  isPlaced?: boolean;
};

/** The same for a form, in which the reason stays until the form is submitted again. */
export function reportFailure({ form, isPlaced = false }: Failing, error: unknown, otherwise: string): void {
  const failure = showErrorToast(error, otherwise);
  if (!isPlaced) form.setFailure(failure);
}
