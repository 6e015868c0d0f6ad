import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** The ids of messages whose cards are hidden until the page is left. */
const collapsedIds = createUserScopedStore<ReadonlySet<string>>(() => new Set());

export function toggleCards(messageId: string): void {
  collapsedIds.change(collapsedIds.owner(), (ids) =>
    ids.has(messageId) ? new Set([...ids].filter((id) => id !== messageId)) : new Set([...ids, messageId]),
  );
}

export const useAreCardsCollapsed = (messageId: string): boolean =>
  useSyncExternalStore(collapsedIds.subscribe, collapsedIds.get).has(messageId);
