import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';

const SETTLE_MS = 3_000;

/** Waits until the users service has taken the person in, so that what they do next works; goes on without after three seconds. */
export function awaitActive(directory: Directory, userId: string): Promise<boolean> {
  return directory.whenUser(userId, isActive, SETTLE_MS);
}
