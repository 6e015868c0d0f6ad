import type { DirectoryUser } from '@atrium/proto-events/people';
import { toSearchText } from '@atrium/proto-events/text/search';

/** Folding the names of a hundred thousand users takes a second. */
const foldedNames = new WeakMap<DirectoryUser, string>();

/** Returns the folded words of the name of a user, each after a space. */
export function toSearchableName(user: DirectoryUser): string {
  const folded = foldedNames.get(user) ?? toSearchText(`${user.firstName} ${user.lastName}`);
  foldedNames.set(user, folded);
  return folded;
}
