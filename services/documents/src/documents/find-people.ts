import { searchNeedles, toSearchText } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';

const MOST = 1_000;

/** The ids of up to a thousand people whom a search finds by their full name. */
export function findPeopleByName(directory: Directory, text: string | undefined): string[] {
  const needles = searchNeedles(text ?? '');
  if (needles.length === 0) return [];
  const found: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted) continue;
    const name = toSearchText(`${user.firstName} ${user.lastName}`);
    if (!needles.every((needle) => name.includes(needle))) continue;
    if (found.push(user._id) === MOST) break;
  }
  return found;
}
