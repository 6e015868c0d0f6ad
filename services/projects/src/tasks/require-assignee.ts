import type { Directory } from '@atrium/service-kit/directory/directory';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import { isProjectMember } from '../projects/membership.ts';
import { assertActiveUsers } from '../projects/require-people.ts';

type People = { manager_id: string; member_ids: string[] };

/** Throws `validation_failed` unless the user is an active member of the project. */
export function requireAssignee(directory: Directory, project: People, userId: string): void {
  if (!isProjectMember(userId, project)) {
    throw invalidField('assignedTo', 'Tasks can be assigned to project members only');
  }
  assertActiveUsers(directory, [userId], 'assignedTo');
}
