import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';

export type DepartedUser = { userId: string; actorId: string | null; directory: Directory };

/**
 * The first guest who can schedule meetings, else the administrator who ended the account. Undefined if fewer than two users would remain:
 * the meeting is cancelled.
 */
export function chooseOrganizer(guestIds: readonly string[], departed: DepartedUser): string | undefined {
  const { userId, actorId, directory } = departed;
  const guests = guestIds.filter((id) => id !== userId && isActive(directory.user(id)));
  if (guests.length < 2) return undefined;
  const scheduler = guests.find((id) => directory.user(id)?.role !== 'member');
  if (scheduler !== undefined) return scheduler;
  if (actorId !== null && isActive(directory.user(actorId))) return actorId;
  return [...directory.users()].find((user) => user.role === 'admin' && isActive(user))?._id;
}
