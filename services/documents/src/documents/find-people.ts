import type { Directory } from '@atrium/service-kit/directory/directory';

const MOST = 1_000;

/** The ids of up to a thousand people whose full name contains the text, without regard to case. */
export function findPeopleByName(directory: Directory, text: string | undefined): string[] {
  if (!text) return [];
  const wanted = text.toLowerCase();
  const found: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !`${user.firstName} ${user.lastName}`.toLowerCase().includes(wanted)) continue;
    if (found.push(user._id) === MOST) break;
  }
  return found;
}
