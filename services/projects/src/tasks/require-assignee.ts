import { AppError } from '@atrium/service-kit/app-error';
import { isOfProject } from './policy.ts';

/** Throws `validation_failed` for somebody who is not of the project's people. */
export function requireAssignee(project: { manager_id: string; member_ids: string[] }, userId: string): void {
  if (isOfProject(userId, project)) return;
  const message = 'Tasks can be assigned to people of the project only';
  throw new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: 'body.assignedTo', message }],
  });
}
