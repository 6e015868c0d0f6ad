import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import {
  isMessageKnown,
  NOTHING_UNREAD,
  type ReadStates,
  totalUnread,
  type UnreadResponse,
  withoutConversation,
  withoutSeen,
  withReceived,
  withResponse,
  withSeen,
  withState,
} from './read-states.ts';

type Store = Pick<ReturnType<typeof createUserScopedStore<ReadStates>>, 'owner' | 'get' | 'change'>;

export type Unread = ReturnType<typeof createUnread>;

/** Keeps the unread counts of the signed-in user, from the server's states and the seqs of messages. */
export function createUnread({ owner, get, change }: Store) {
  const apply = (edit: (state: ReadStates) => ReadStates) => void change(owner(), edit);
  return {
    total: (): number => totalUnread(get()),
    isMessageKnown: (conversation: string, seq: number): boolean => isMessageKnown(get(), conversation, seq),
    recordSeen: (conversation: string, seq: number): void => apply((state) => withSeen(state, { conversation, seq })),
    forgetSeen: (conversation: string): void => apply((state) => withoutSeen(state, conversation)),
    async request(read: () => Promise<UnreadResponse>): Promise<UnreadResponse> {
      const requestedBy = owner();
      const atRequest = get();
      const response = await read();
      change(requestedBy, (state) => withResponse(state, response, atRequest));
      return response;
    },
    /** Handlers of `/chat` events. */
    eventsOf: (me: () => string | null) =>
      ({
        'message:new': ({ message: { conversation, seq, sender }, unreadCount = 0 }) =>
          apply((state) =>
            sender._id === me()
              ? withState(state, { conversation, lastSeq: seq, lastReadSeq: 0, unreadCount })
              : withReceived(state, { conversation, seq }),
          ),
        'conversation:state': (readState) => apply((state) => withState(state, readState)),
        'conversation:deleted': ({ conversation }) => apply((state) => withoutConversation(state, conversation)),
        'conversation:participant_removed': ({ conversation, removedUserId }) => {
          if (removedUserId === me()) apply((state) => withoutConversation(state, conversation));
        },
      }) satisfies Partial<ChatServerEvents>,
  };
}

const store = createUserScopedStore(() => NOTHING_UNREAD);

export const unread = createUnread(store);

export const useUnreadCount = (): number => useSyncExternalStore(store.subscribe, unread.total);
