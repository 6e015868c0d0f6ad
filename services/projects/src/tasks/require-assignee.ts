import type { Directory } from '@atrium/service-kit/directory/directory';
import { invalidField } from '@atrium/service-kit/http/app-error';
import { requireActivePeople } from '../projects/require-people.ts';
import { isOfProject } from './policy.ts';

type People = { manager_id: string; member_ids: string[] };

/** Throws `validation_failed` for somebody who is not of the project's people, or gone from the workspace. */
export function requireAssignee(directory: Directory, project: People, userId: string): void {
  if (!isOfProject(userId, project)) {
    throw invalidField('assignedTo', 'Tasks can be assigned to people of the project only');
  }
  requireActivePeople(directory, [userId], 'assignedTo');
}
