import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/errors/app-error';

export type LinkCreator = { madeBy: string; madeAt: Date };

/**
 * A link is revoked with the sessions its creator had at the time (deactivated, deleted, or another role), so that nobody returns through a
 * link of their own.
 */
export function isLinkRevoked(directory: Directory, { madeBy, madeAt }: LinkCreator): boolean {
  const creator = directory.user(madeBy);
  if (!creator) return false;
  return !isActive(creator) || creator.role !== 'admin' || creator.sessionsValidAfter > madeAt.getTime();
}

/** Throws `unavailable` while the directory does not know the creator. */
export function checkRevocation(directory: Directory, link: LinkCreator): boolean {
  if (!directory.user(link.madeBy))
    throw unavailable('Links cannot be checked right now. Please try again in a moment.');
  return isLinkRevoked(directory, link);
}
