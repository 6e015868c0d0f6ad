import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';

const SETTLE_MS = 3_000;

/** Waits up to three seconds for the directory to contain the user; continues without it after that. */
export function awaitActive(directory: Directory, userId: string): Promise<boolean> {
  return directory.whenUser(userId, isActive, SETTLE_MS);
}
