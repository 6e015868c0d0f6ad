import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import type { QueryCache } from '#lib/query/query-cache.ts';
import type { ChatSocket } from '#realtime/connection/socket.ts';
import {
  withBroadcast,
  withConversation,
  withDeletedMessage,
  withEditedMessage,
  withMessage,
  withoutConversation,
  withPreferences,
} from './conversation-edits.ts';

const SAVED_MESSAGES = '/chat/saved';
const SCHEDULED_MESSAGES = '/chat/scheduled';

type FollowDeps = { cache: QueryCache; chat: ChatSocket; me: () => string | null };

/** Applies chat events to cached conversations on every screen, until the returned function is called. */
export function followConversations({ cache, chat, me }: FollowDeps): () => void {
  const events: Partial<ChatServerEvents> = {
    'message:new': ({ message }) => cache.edit(withMessage(cache, message)),
    'message:updated'({ message, thread }) {
      if (thread === undefined) cache.edit(withEditedMessage(message));
    },
    'message:deleted'(deleted) {
      if (deleted.thread === undefined) cache.edit(withDeletedMessage(deleted));
    },
    'message:saved': () => markStale(cache, SAVED_MESSAGES),
    'scheduled:changed': () => markStale(cache, SCHEDULED_MESSAGES),
    'conversation:new': ({ conversation }) => cache.edit(withConversation(conversation)),
    'conversation:updated': ({ conversation, personal }) => cache.edit(withBroadcast({ ...conversation, ...personal })),
    'conversation:preferences': ({ conversation, preferences }) =>
      cache.edit(withPreferences(conversation, preferences)),
    'conversation:deleted': ({ conversation }) => cache.edit(withoutConversation(conversation)),
    'conversation:participant_removed': ({ conversation, removedUserId }) => {
      if (removedUserId === me()) cache.edit(withoutConversation(conversation));
    },
  };
  const listener = createListener(events);
  chat.onAny(listener);
  return () => {
    chat.offAny(listener);
  };
}

function markStale(cache: QueryCache, path: string): void {
  for (const key of [...cache.keys()]) if (key.startsWith(path)) cache.markStale(key);
}

/** Creates a listener for `onAny` of the socket. */
export const createListener =
  (events: Partial<ChatServerEvents>) =>
  (name: string, payload: unknown): void => {
    const handler = Object.entries(events).find(([eventName]) => eventName === name)?.[1];
    // The event map pairs each name with its payload; only the union type is available here.
    (handler as ((payload: unknown) => void) | undefined)?.(payload);
  };
