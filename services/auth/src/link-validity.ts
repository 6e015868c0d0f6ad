import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/http/app-error';

export type LinkMaker = { madeBy: string; madeAt: Date };

/**
 * A link is revoked with the sessions its creator had at the time (deactivated, deleted, or another role), so that nobody returns through a
 * link of their own.
 */
export function isLinkRevoked(directory: Directory, { madeBy, madeAt }: LinkMaker): boolean {
  const maker = directory.user(madeBy);
  if (!maker) return false;
  return !isActive(maker) || maker.role !== 'admin' || maker.sessionsValidAfter > madeAt.getTime();
}

/** Throws `unavailable` while the directory does not know the creator. */
export function assertLinkUsable(directory: Directory, link: LinkMaker): boolean {
  if (!directory.user(link.madeBy))
    throw unavailable('Links cannot be checked right now. Please try again in a moment.');
  return isLinkRevoked(directory, link);
}
