import { assertActiveUsers as assertActive, isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import { isProjectMember } from './policy.ts';

export function assertManager(directory: Directory, id: string): void {
  const user = directory.user(id);
  if (!isActive(user) || user?.role === 'member') {
    throw invalidField('projectManager', 'Invalid project manager selection');
  }
}

export const assertActiveUsers = (directory: Directory, ids: readonly string[], field: string): void =>
  assertActive(directory, ids, { field, message: 'Team members must be active users' });

type ProjectMembers = { manager_id: string; member_ids: string[] };

export function assertAssignee(directory: Directory, project: ProjectMembers, userId: string): void {
  if (!isProjectMember(userId, project)) {
    throw invalidField('assignedTo', 'Tasks can be assigned to project members only');
  }
  assertActiveUsers(directory, [userId], 'assignedTo');
}
