import { matchesSearch } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';

const MOST = 1_000;

/** The ids of up to a thousand people whom a search finds by their full name. */
export function findPeopleByName(directory: Directory, text: string | undefined): string[] {
  if (!text) return [];
  const found: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !matchesSearch(`${user.firstName} ${user.lastName}`, text)) continue;
    if (found.push(user._id) === MOST) break;
  }
  return found;
}
