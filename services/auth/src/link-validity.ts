import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/http/app-error';

/** Who made a link that lets somebody in, and when. */
export type LinkMaker = { madeBy: string; madeAt: Date };

/**
 * Whether a link has outlived its maker's standing: it is as good as the administrator behind it, and ends with the sessions that they
 * had when they made it (deactivated, deleted, another role). So nobody who was thrown out comes back by a link of their own.
 */
export function isLinkRevoked(directory: Directory, { madeBy, madeAt }: LinkMaker): boolean {
  const maker = directory.user(madeBy);
  if (!maker) return false;
  return !isActive(maker) || maker.role !== 'admin' || maker.sessionsValidAfter > madeAt.getTime();
}

/** The same where somebody uses the link: without word of its maker it is neither good nor bad. */
export function assertLinkUsable(directory: Directory, link: LinkMaker): boolean {
  if (!directory.user(link.madeBy))
    throw unavailable('Links cannot be checked right now. Please try again in a moment.');
  return isLinkRevoked(directory, link);
}
