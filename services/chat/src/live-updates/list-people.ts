import type { UserSummary } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import type { Directory } from '@atrium/service-kit/directory/directory';

/** Returns the users referenced by the items, each once. A user's own item refers to nobody. */
export function listPeople(changes: readonly Change[], directory: Pick<Directory, 'user' | 'summary'>): UserSummary[] {
  const userIds = new Set<string>();
  const addUsersIn = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('_id' in value && typeof value._id === 'string' && isReference(value._id, value)) userIds.add(value._id);
    for (const field of Object.values(value)) addUsersIn(field);
  };
  // The directory may not know a new user yet, whose reference has no other field.
  const isReference = (id: string, value: object) =>
    directory.user(id) !== undefined || Object.keys(value).length === 1;
  for (const { item } of changes) for (const field of Object.values(item ?? {})) addUsersIn(field);
  return [...userIds].map(directory.summary);
}
