import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import type { ListChanges } from './conversation-list-cache.ts';
import { emptied, withNews, withRead } from './conversation-reducers.ts';
import type { EarlyMessages } from './message-buffer.ts';

export type Listed = {
  me: string;
  /** `reload` asks for the lists again. */
  lists: ListChanges & { reload: () => void };
  early: EarlyMessages;
  /** Whether somebody sees it as it comes. */
  isSeen: (message: Message) => boolean;
};

/** What lists of conversations make of what the chat socket says of their messages: they ask for none of it. */
export function messageEvents({ me, lists, early, isSeen }: Listed) {
  const take = (message: Message) =>
    lists.update(message.conversation, (known) => withNews(known, message, { me, isSeen: isSeen(message) }));
  const isEarly = ({ conversation, seq }: Message) => lists.isAfterGap(conversation, seq);
  const takeInTurn = (message: Message) => {
    take(message);
    early.take(message.conversation, (next) => !isEarly(next), take);
  };
  /** What should have come before it was lost: what is unread the server alone knows. */
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
        // What is deleted stays so, in an answer that has come since too.
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

/** Hands each event that a socket says to its handler, before those that listen for it by name. */
export const listenerOf =
  (events: Partial<ChatServerEvents>) =>
  (name: string, payload: unknown): void => {
    const handler = Object.entries(events).find(([known]) => known === name)?.[1];
    // The map of events pairs each name with its payload; only their union is visible here.
    (handler as ((payload: unknown) => void) | undefined)?.(payload);
  };
