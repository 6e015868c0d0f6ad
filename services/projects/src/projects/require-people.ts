import * as people from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { invalidField } from '@atrium/service-kit/errors/app-error';

/** Throws `validation_failed` unless the user is an active administrator or project manager. */
export function requireManager(directory: Directory, id: string): void {
  const user = directory.user(id);
  if (!people.isActive(user) || user?.role === 'member') {
    throw invalidField('projectManager', 'Invalid project manager selection');
  }
}

export const assertActiveUsers = (directory: Directory, ids: readonly string[], field: string): void =>
  people.assertActiveUsers(directory, ids, { field, message: 'Team members must be active users' });
