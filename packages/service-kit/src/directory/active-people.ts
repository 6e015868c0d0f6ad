import type { DirectoryUser } from '@atrium/proto-events/people';
import { invalidField } from '../http/app-error.ts';
import type { Directory } from './directory.ts';

/** Whether this is somebody who may sign in: neither unknown, invited, deactivated nor deleted. */
export const isActive = (user: Pick<DirectoryUser, 'status' | 'deleted'> | undefined): boolean =>
  user?.status === 'active' && !user.deleted;

/** Throws `validation_failed` with this message at a field of the body unless everybody is an active user. */
export function requireActivePeople(
  directory: Directory,
  ids: readonly string[],
  { field, message }: { field: string; message: string },
): void {
  if (!ids.every((id) => isActive(directory.user(id)))) throw invalidField(field, message);
}
