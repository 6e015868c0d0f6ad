import type { DirectoryUser } from '@atrium/proto-events/people';

/**
 * The department that opens something to a person: the one into which an administrator put them. One that they chose themselves, in their
 * profile, opens nothing.
 */
export const assignedDepartmentId = (
  user: Pick<DirectoryUser, 'departmentId' | 'departmentSelfAssigned'> | undefined,
): string | null => (user === undefined || user.departmentSelfAssigned ? null : user.departmentId);
