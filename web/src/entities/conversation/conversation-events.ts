import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import type { ListChanges } from './conversation-list-cache.ts';
import { emptied, withNews, withRead } from './conversation-reducers.ts';
import type { EarlyMessages } from './message-buffer.ts';

export type Listed = {
  me: string;
  /** `reload` refetches the lists. */
  lists: ListChanges & { reload: () => void };
  early: EarlyMessages;
  /** Whether the message is visible as it arrives. */
  isSeen: (message: Message) => boolean;
};

/** Applies chat socket events to the cached conversation lists without refetching them. */
export function messageEvents({ me, lists, early, isSeen }: Listed) {
  const take = (message: Message) =>
    lists.update(message.conversation, (known) => withNews(known, message, { me, isSeen: isSeen(message) }));
  const isEarly = ({ conversation, seq }: Message) => lists.isAfterGap(conversation, seq);
  const takeInTurn = (message: Message) => {
    take(message);
    early.take(message.conversation, (next) => !isEarly(next), take);
  };
  /** An earlier message was lost, so only the server knows the unread count. */
  const giveUp = (message: Message) => {
    const isStillEarly = isEarly(message);
    takeInTurn(message);
    if (isStillEarly) lists.reload();
  };
  return {
    'message:new': ({ message }) => (isEarly(message) ? early.keep(message, giveUp) : takeInTurn(message)),
    'message:updated': ({ message }) => {
      early.edited(message);
      lists.update(message.conversation, (known) =>
        // A deleted message stays deleted, even if a response fetched since still has it.
        known.lastMessage?._id === message._id && !known.lastMessage.deleted
          ? { ...known, lastMessage: message }
          : known,
      );
    },
    'message:deleted': ({ conversation, message, seq }) => {
      early.deleted(message);
      lists.update(conversation, (known) =>
        known.lastMessage?.seq === seq ? { ...known, lastMessage: emptied(known.lastMessage) } : known,
      );
    },
    'message:read': ({ conversation, user, seq }) => {
      if (user === me) lists.update(conversation, (known) => withRead(known, seq));
    },
  } satisfies Partial<ChatServerEvents>;
}

/** Passes each socket event to its handler before the listeners registered by name. */
export const listenerOf =
  (events: Partial<ChatServerEvents>) =>
  (name: string, payload: unknown): void => {
    const handler = Object.entries(events).find(([known]) => known === name)?.[1];
    // The event map pairs each name with its payload; only the union type is available here.
    (handler as ((payload: unknown) => void) | undefined)?.(payload);
  };
