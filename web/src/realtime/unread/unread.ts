import { useSyncExternalStore } from 'react';
import { read } from '#lib/api/api.ts';
import { createListeners } from '#lib/listeners.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createUnread } from './create-unread.ts';
import { NOTHING_UNREAD, type UnreadResponse } from './unread-counts.ts';

const store = createUserScopedStore(() => NOTHING_UNREAD);

export const unread = createUnread(store, createListeners());

// The service has validated the response against the contract.
export const readUnread = (key: string): Promise<UnreadResponse> =>
  unread.request(() => read(key) as Promise<UnreadResponse>);

export const useUnreadCount = (): number => useSyncExternalStore(store.subscribe, unread.total);
