import type { Role, UserStatus } from '@atrium/proto-events/people';
import type { Caller } from '@atrium/service-kit/http/authenticate';

export const UPDATE_DENIED = 'Only administrators can change people';

export const DELETE_DENIED = 'Only administrators can delete people';

export const canUpdate = (caller: Pick<Caller, 'role'>) => caller.role === 'admin';
export const canDelete = canUpdate;

type RoleAndStatus = { role: Role; status: UserStatus };
type Change = { role?: Role | undefined; status?: UserStatus | undefined };

export const removesActiveAdmin = (before: RoleAndStatus, { role, status }: Change) =>
  before.role === 'admin' &&
  before.status === 'active' &&
  ((role ?? before.role) !== 'admin' || (status ?? before.status) !== 'active');
