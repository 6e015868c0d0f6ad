import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** Titles of the channels that were loaded, by id, for messages that mention them. */
const titles = createUserScopedStore<ReadonlyMap<string, string>>(() => new Map());

export function recordTitles(conversations: readonly Conversation[]): void {
  const changed = conversations.flatMap(({ _id, title }): [string, string][] =>
    title && titles.get().get(_id) !== title ? [[_id, title]] : [],
  );
  if (changed.length > 0) titles.change(titles.owner(), (known) => new Map([...known, ...changed]));
}

export const getTitle = (id: string): string | undefined => titles.get().get(id);

export const useTitles = (): ReadonlyMap<string, string> => useSyncExternalStore(titles.subscribe, titles.get);
