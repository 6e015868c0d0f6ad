import { AppError } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';

/** Who may invite (specification, section 6). */
export const mayInvite = (caller: Caller) => caller.role === 'admin';

/** The same for seeing, re-sending and taking back what was sent. */
export function requireInviter(caller: Caller): void {
  if (!mayInvite(caller)) throw new AppError('forbidden', 'Only administrators can invite people');
}
