import type { DirectoryUser } from '@atrium/proto-events/people';
import { invalidField } from '../http/app-error.ts';
import type { Directory } from './directory.ts';

/** Whether this is somebody who may sign in: neither unknown, invited, deactivated nor deleted. */
export const isActive = (user: Pick<DirectoryUser, 'status' | 'deleted'> | undefined): boolean =>
  user?.status === 'active' && !user.deleted;

/** People who have accepted an invitation reach us in a moment. */
const SETTLE_MS = 2_000;

/** Unknown so far, or invited: an account that was active once has had its sessions ended before it is inactive. */
const mayBeComing = (user: DirectoryUser | undefined): boolean =>
  !user || (user.status === 'inactive' && !user.deleted && user.sessionsValidAfter === 0);

/** Waits for those who are not active yet and may be in a moment, two seconds at most. Before a transaction, so that nobody's locks and connections wait along. */
export async function awaitActivePeople(directory: Directory, ids: readonly string[]): Promise<void> {
  const coming = ids.filter((id) => mayBeComing(directory.user(id)));
  await Promise.all(coming.map((id) => directory.whenUser(id, isActive, SETTLE_MS)));
}

/** Throws `validation_failed` with this message at a field of the body unless everybody is an active user. */
export function requireActivePeople(
  directory: Directory,
  ids: readonly string[],
  { field, message }: { field: string; message: string },
): void {
  if (!ids.every((id) => isActive(directory.user(id)))) throw invalidField(field, message);
}
