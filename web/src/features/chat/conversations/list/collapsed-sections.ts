import { useSyncExternalStore } from 'react';
import { currentUserId } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { deviceStorage } from '#lib/storage.ts';

const storageKey = (userId: string) => `atrium:collapsed-sections:${userId}`;

/** The ids of the collapsed sections of the user on this device. They contain names, so signing out deletes them. */
const collapsedIds = createUserScopedStore<readonly string[]>(
  () => readIds(currentUserId()),
  (_, { owner, hasSignedOut }) => {
    if (hasSignedOut) deviceStorage.remove(storageKey(owner));
  },
);

function readIds(userId: string | null): string[] {
  try {
    const ids: unknown = JSON.parse((userId && deviceStorage.read(storageKey(userId))) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function toggleCollapsed(id: string): void {
  const owner = collapsedIds.owner();
  if (owner === null) return;
  const next = collapsedIds.change(owner, (ids) =>
    ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id],
  );
  deviceStorage.write(storageKey(owner), JSON.stringify(next));
}

export const useCollapsedSections = (): readonly string[] =>
  useSyncExternalStore(collapsedIds.subscribe, collapsedIds.get);
