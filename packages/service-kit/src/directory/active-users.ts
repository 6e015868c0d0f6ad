import type { DirectoryUser } from '@atrium/proto-events/people';
import { invalidField } from '../errors/app-error.ts';
import type { Directory } from './directory.ts';

/** Whether the user can sign in: not unknown, invited, deactivated, or deleted. */
export const isActive = (user: Pick<DirectoryUser, 'status' | 'deleted'> | undefined): boolean =>
  user?.status === 'active' && !user.deleted;

/** Users who have just accepted an invitation reach the directory shortly. */
const SETTLE_MS = 2_000;

/**
 * Whether the directory may lag behind the user: unknown so far, or not updated since the invitation was accepted at
 * `activatedAt` (ms since 1970), if known. Deactivation revokes sessions later than that.
 */
export const canBecomeActive = (user: DirectoryUser | undefined, activatedAt = 0): boolean =>
  !user || (user.status === 'inactive' && !user.deleted && user.sessionsValidAfter <= activatedAt);

/** At most two seconds. Call it before a transaction, so that no locks or connections are held. */
export async function awaitActiveUsers(directory: Directory, ids: readonly string[]): Promise<void> {
  const coming = ids.filter((id) => canBecomeActive(directory.user(id)));
  await Promise.all(coming.map((id) => directory.whenUser(id, isActive, SETTLE_MS)));
}

/** Throws `validation_failed` with this message for a field of the body unless all ids belong to active users. */
export function assertActiveUsers(
  directory: Directory,
  ids: readonly string[],
  { field, message }: { field: string; message: string },
): void {
  if (!ids.every((id) => isActive(directory.user(id)))) throw invalidField(field, message);
}

/** A self-assigned department grants no access. */
export const assignedDepartmentId = (
  user: Pick<DirectoryUser, 'departmentId' | 'departmentSelfAssigned'> | undefined,
): string | null => (user === undefined || user.departmentSelfAssigned ? null : user.departmentId);
