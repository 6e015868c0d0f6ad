import { createMatcher } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';

const MOST = 1_000;

/** The ids of up to a thousand people whom a search finds by their full name. */
export function findPeopleByName(directory: Directory, text: string | undefined): string[] {
  if (!text?.trim()) return [];
  const matches = createMatcher(text);
  const found: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !matches(`${user.firstName} ${user.lastName}`)) continue;
    if (found.push(user._id) === MOST) break;
  }
  return found;
}
