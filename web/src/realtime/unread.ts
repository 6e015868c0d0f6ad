import { useSyncExternalStore } from 'react';
import { read } from '#lib/api/api.ts';
import { createListeners } from '#lib/listeners.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import {
  applyResponse,
  applyUpdate,
  conflictsWith,
  hasGaps,
  isMessageKnown,
  NOTHING_UNREAD,
  startRequest,
  totalUnread,
  type UnreadCounts,
  type UnreadResponse,
  type UnreadUpdate,
} from './unread-counts.ts';

type Store = Pick<ReturnType<typeof createUserScopedStore<UnreadCounts>>, 'owner' | 'get' | 'change'>;
type Listeners = { subscribe: (listener: () => void) => () => void; notify: () => void };

/** Within this time, a read is acknowledged or has failed (`SOCKET_TIMEOUT_MS`, plus a second of batching). */
const ACKNOWLEDGMENT_TIMEOUT_MS = 12_000;

export type Unread = ReturnType<typeof createUnread>;

export function createUnread(store: Store, uncertainty: Listeners) {
  return {
    record: (update: UnreadUpdate): void => void store.change(store.owner(), (state) => applyUpdate(state, update)),
    isMessageKnown: (conversation: string, seq: number): boolean => isMessageKnown(store.get(), conversation, seq),
    isUncertain: (): boolean => store.get().isUncertain,
    hasGaps: (): boolean => hasGaps(store.get()),
    onUncertain: uncertainty.subscribe,
    total: (): number => totalUnread(store.get()),
    async request(read: () => Promise<UnreadResponse>): Promise<UnreadResponse> {
      const owner = store.owner();
      const from = store.get().sinceRequest.length;
      store.change(owner, startRequest);
      let response: UnreadResponse | null = null;
      try {
        response = await read();
        return response;
      } finally {
        // A read that is still unacknowledged after that time is lost, and the server's count is correct.
        if (response !== null && conflictsWith(store.get(), response))
          setTimeout(uncertainty.notify, ACKNOWLEDGMENT_TIMEOUT_MS);
        store.change(owner, (state) => applyResponse(state, from, response));
        if (response !== null && store.get().isUncertain) uncertainty.notify();
      }
    },
  };
}

const store = createUserScopedStore(() => NOTHING_UNREAD);

export const unread = createUnread(store, createListeners());

export const readUnread = (key: string): Promise<UnreadResponse> =>
  unread.request(() => read(key) as Promise<UnreadResponse>);

export const useUnreadCount = (): number => useSyncExternalStore(store.subscribe, unread.total);
