import { messageOf } from '../../lib/api/api-error.ts';
import { showError } from './toast.ts';

/** Says why something failed that was pressed: in the server's words, or in these where it gave none. */
export const showFailure = (error: unknown, otherwise: string, title = 'Error'): void =>
  showError(title, messageOf(error, otherwise));

/** The same of a form, in which the reason stays until the form is submitted again. */
export function reportFailure(form: { setFailure: (reason: string) => void }, error: unknown, otherwise: string): void {
  form.setFailure(messageOf(error, otherwise));
  showFailure(error, otherwise);
}
