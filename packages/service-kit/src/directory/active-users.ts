import type { DirectoryUser } from '@atrium/proto-events/people';
import { invalidField } from '../errors/app-error.ts';
import type { Directory } from './directory.ts';

/** Whether the user can sign in: not unknown, invited, deactivated, or deleted. */
export const isActive = (user: Pick<DirectoryUser, 'status' | 'deleted'> | undefined): boolean =>
  user?.status === 'active' && !user.deleted;

/** Maximum time until a user who has just accepted an invitation reaches the directory. */
const PROPAGATION_TIMEOUT_MS = 2_000;

/**
 * Whether the directory may lag behind the user: unknown so far, or not updated since the invitation was accepted at
 * `activatedAt` (ms since 1970), if known. A user deactivated since then has a later `sessionsValidAfter`, and is not
 * waited for.
 */
export const canBecomeActive = (user: DirectoryUser | undefined, activatedAt = 0): boolean =>
  !user || (user.status === 'inactive' && !user.deleted && user.sessionsValidAfter <= activatedAt);

/** Waits at most two seconds. Call it before a transaction, so that no locks or connections are held. */
export async function awaitActiveUsers(directory: Directory, ids: readonly string[]): Promise<void> {
  const pendingIds = ids.filter((id) => canBecomeActive(directory.user(id)));
  await Promise.all(pendingIds.map((id) => directory.whenUser(id, isActive, PROPAGATION_TIMEOUT_MS)));
}

/** Throws `validation_failed` with this message for a field of the body unless all ids belong to active users. */
export function assertActiveUsers(
  directory: Directory,
  ids: readonly string[],
  { field, message }: { field: string; message: string },
): void {
  if (!ids.every((id) => isActive(directory.user(id)))) throw invalidField(field, message);
}

/** Returns null for a self-assigned department, which grants no access. */
export const assignedDepartmentId = (
  user: Pick<DirectoryUser, 'departmentId' | 'departmentSelfAssigned'> | undefined,
): string | null => (user === undefined || user.departmentSelfAssigned ? null : user.departmentId);
