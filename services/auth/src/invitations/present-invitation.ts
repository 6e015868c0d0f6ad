import type { Invitation } from '@atrium/proto-events/http/invitations';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { isLinkRevoked } from '../link-validity.ts';
import type { InvitationRow } from './invitation-repository.ts';

/** Falls back to the account while the directory is behind. */
export function invitedPerson(directory: Directory, row: InvitationRow) {
  const known = directory.user(row.user_id);
  return {
    email: row.email,
    firstName: known?.firstName ?? row.first_name,
    lastName: known?.lastName ?? row.last_name,
    role: known?.role ?? row.role,
    departmentId: known ? known.departmentId : row.department_id,
  };
}

export function presentInvitation(directory: Directory, row: InvitationRow): Invitation {
  const { departmentId, ...person } = invitedPerson(directory, row);
  const department = departmentId === null ? undefined : directory.department(departmentId);
  return {
    _id: row.id,
    user: row.user_id,
    ...person,
    department: department ? { _id: department._id, name: department.name } : null,
    invitedBy: directory.summary(row.invited_by),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    expired: row.expired || isLinkRevoked(directory, { madeBy: row.sent_by, madeAt: row.sent_at }),
    delivery: row.delivery,
  };
}
