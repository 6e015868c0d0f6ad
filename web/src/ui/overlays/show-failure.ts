import { messageOf } from '../../lib/api/api-error.ts';
import { showError } from './toast.ts';

/** Says why something failed that was pressed: in the server's words, or in these where it gave none. */
export const showFailure = (error: unknown, otherwise: string, title = 'Error'): void =>
  showError(title, messageOf(error, otherwise));

type Failing = {
  form: { setFailure: (reason: string) => void };
  /** Whether the reason is next to a field already. */
  isPlaced?: boolean;
};

/** The same for a form, in which the reason stays until the form is submitted again. */
export function reportFailure({ form, isPlaced = false }: Failing, error: unknown, otherwise: string): void {
  if (!isPlaced) form.setFailure(messageOf(error, otherwise));
  showFailure(error, otherwise);
}
