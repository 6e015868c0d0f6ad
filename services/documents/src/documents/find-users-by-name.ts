import { createMatcher } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';

const MAX_USERS = 1_000;

/** Ids of up to a thousand users whose full name matches. */
export function findUsersByName(directory: Directory, text: string | undefined): string[] {
  if (!text?.trim()) return [];
  const matches = createMatcher(text);
  const found: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !matches(`${user.firstName} ${user.lastName}`)) continue;
    if (found.push(user._id) === MAX_USERS) break;
  }
  return found;
}
