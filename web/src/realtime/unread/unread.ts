import { useSyncExternalStore } from 'react';
import { read } from '../../lib/api/api.ts';
import { createListeners } from '../../lib/listeners.ts';
import { createUserScopedStore } from '../../lib/session/user-scoped-store.ts';
import { createUnread } from './create-unread.ts';
import { NOTHING_UNREAD, type UnreadAnswer } from './unread-counts.ts';

const store = createUserScopedStore(() => NOTHING_UNREAD);

/** Of whoever is signed in. */
export const unread = createUnread(store, createListeners());

// The type of the answer is the contract's, which the service has parsed it by.
export const readUnread = (key: string): Promise<UnreadAnswer> => unread.ask(() => read(key) as Promise<UnreadAnswer>);

export const useUnreadCount = (): number => useSyncExternalStore(store.subscribe, unread.total);
