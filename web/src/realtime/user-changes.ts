import type { UserSummary } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import { createListeners } from '#lib/listeners.ts';
import { deletedUser } from './replace-references.ts';

/** Users whose names, pictures, or status have changed, for data that is not in the cache. */
const listeners = createListeners<[users: ReadonlyMap<string, UserSummary>]>();

export const onUserChanges = listeners.subscribe;

export function emitUserChanges(changes: readonly Change[]): void {
  const users = changes.flatMap(({ resource, action, id, item, tags }): [string, UserSummary][] => {
    if (resource !== 'user' || !tags.includes('people')) return [];
    if (action === 'deleted') return [[id, deletedUser(id)]];
    return item ? [[id, item as UserSummary]] : [];
  });
  if (users.length > 0) listeners.notify(new Map(users));
}
