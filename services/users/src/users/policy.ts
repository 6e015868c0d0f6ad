import type { Role, UserStatus } from '@atrium/proto-events/people';
import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Who may change people (decisions, section 3). Pure: no I/O, no state. */

export const UPDATE_REFUSED = 'Only administrators can change people';

export const DELETE_REFUSED = 'Only administrators can delete people';

export const mayUpdate = (caller: Pick<Caller, 'role'>) => caller.role === 'admin';
export const mayDelete = mayUpdate;

type Standing = { role: Role; status: UserStatus };
type Change = { role?: Role | undefined; status?: UserStatus | undefined };

/** A change that would leave one active administrator fewer. */
export const removesActiveAdmin = (before: Standing, { role, status }: Change) =>
  before.role === 'admin' &&
  before.status === 'active' &&
  ((role ?? before.role) !== 'admin' || (status ?? before.status) !== 'active');
