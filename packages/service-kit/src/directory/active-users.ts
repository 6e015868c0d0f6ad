import type { DirectoryUser } from '@atrium/proto-events/people';
import { invalidField } from '../http/app-error.ts';
import type { Directory } from './directory.ts';

/** Whether this is somebody who may sign in: neither unknown, invited, deactivated nor deleted. */
export const isActive = (user: Pick<DirectoryUser, 'status' | 'deleted'> | undefined): boolean =>
  user?.status === 'active' && !user.deleted;

/** People who have accepted an invitation reach us in a moment. */
const SETTLE_MS = 2_000;

/**
 * Whether the directory may be behind somebody: unknown so far, or as they were before they accepted their invitation, which was at
 * `activatedAt` (ms since 1970) where that is known. Whoever is shut out has had their sessions ended, and that is later.
 */
export const canBecomeActive = (user: DirectoryUser | undefined, activatedAt = 0): boolean =>
  !user || (user.status === 'inactive' && !user.deleted && user.sessionsValidAfter <= activatedAt);

/** Waits for those who are not active yet and may be in a moment, two seconds at most. Before a transaction, so that nobody's locks and connections wait along. */
export async function awaitActiveUsers(directory: Directory, ids: readonly string[]): Promise<void> {
  const coming = ids.filter((id) => canBecomeActive(directory.user(id)));
  await Promise.all(coming.map((id) => directory.whenUser(id, isActive, SETTLE_MS)));
}

/** Throws `validation_failed` with this message at a field of the body unless everybody is an active user. */
export function assertActiveUsers(
  directory: Directory,
  ids: readonly string[],
  { field, message }: { field: string; message: string },
): void {
  if (!ids.every((id) => isActive(directory.user(id)))) throw invalidField(field, message);
}
