import { messageOf } from '../../lib/api/api-error.ts';
import { showError } from './toast.ts';

/** Says why something failed that was pressed: in the server's words, or in these where it gave none. */
export const showFailure = (error: unknown, otherwise: string, title = 'Error'): void =>
  showError(title, messageOf(error, otherwise));
