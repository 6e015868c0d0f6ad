import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';

/** A manager missing from the directory has not left. */
export function hasManagerLeft(directory: Directory, { manager_id }: { manager_id: string }): boolean {
  const manager = directory.user(manager_id);
  return manager !== undefined && !isActive(manager);
}
