import type { DirectoryUser } from '@atrium/proto-events/people';

/**
 * The department whose shares apply to a user: one assigned by an administrator. A self-assigned department grants no
 * access.
 */
export const assignedDepartmentId = (
  user: Pick<DirectoryUser, 'departmentId' | 'departmentSelfAssigned'> | undefined,
): string | null => (user === undefined || user.departmentSelfAssigned ? null : user.departmentId);
