import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { type MessageEventDeps, messageEvents } from '#entities/conversation/conversation-events.ts';
import { isOwnChange } from './conversations/use-conversation-actions.ts';
import { type MessageLog, withDeleted, withReceived, withRevision } from './log/message-log.ts';
import { deleteLog, followLog, logOf, trimmedForBackground } from './log/message-store.ts';
import { dropOutgoing } from './sending/outgoing-messages.ts';
import { clearTyping, recordTyping } from './typing-line.tsx';

/** The screen's state and callbacks. */
export type Chat = {
  me: string;
  /** The id of the open conversation. */
  open: string | null;
  /** Whether messages arriving in the open conversation are visible. */
  isVisible: () => boolean;
  lists: MessageEventDeps['lists'];
  buffer: MessageEventDeps['buffer'];
  onRead: (conversation: string, seq: number) => void;
  /** The conversation was deleted, or the user was removed from it. */
  onGone: (conversation: string, reason: 'deleted' | 'removed') => void;
  onMembership: (change: 'added to' | 'removed from', person: UserSummary | null) => void;
};

type Events = { [Name in keyof ChatServerEvents]?: ChatServerEvents[Name] };

/** The handler of each chat socket event. */
export function chatEventHandlers(chat: Chat): Events {
  const { me, open, isVisible, lists, buffer, onRead, onGone, onMembership } = chat;
  const drop = (conversation: string, reason: 'deleted' | 'removed') => {
    onGone(conversation, reason);
    deleteLog(conversation);
    dropOutgoing(conversation);
    lists.remove(conversation);
  };
  const follow = (conversation: string, change: (log: MessageLog) => MessageLog) =>
    followLog(conversation, (known) => (conversation === open ? change(known) : trimmedForBackground(change(known))));
  const followChange = (
    conversation: string,
    change: (log: MessageLog) => MessageLog,
    revision: number | undefined,
  ) => {
    follow(conversation, (known) => withRevision(change(known), revision));
  };
  // Messages that failed to load or are still loading have not been seen.
  const isSeen = ({ conversation }: Message) => conversation === open && isVisible() && logOf(conversation).isLoaded;
  const listed = messageEvents({ me, lists, buffer, isSeen });
  const receive = (message: Message) => {
    follow(message.conversation, (known) => withReceived(known, [message]));
    clearTyping(message.conversation, message.sender._id);
    listed['message:new']({ message });
    if (isSeen(message) && message.sender._id !== me) onRead(message.conversation, message.seq);
  };
  return {
    'message:new': ({ message }) => receive(message),
    'message:updated': ({ message, revision }) => {
      followChange(message.conversation, (log) => withReceived(log, [message]), revision);
      listed['message:updated']({ message });
    },
    'message:deleted': (gone) => {
      followChange(gone.conversation, (log) => withDeleted(log, gone.seq), gone.revision);
      listed['message:deleted'](gone);
    },
    'message:read': listed['message:read'],
    'typing:start': ({ conversation, user, firstName }) => recordTyping(conversation, { id: user, name: firstName }),
    'typing:stop': ({ conversation, user }) => clearTyping(conversation, user),
    'conversation:new': ({ conversation }) => lists.put(conversation),
    'conversation:updated': ({ conversation, personal }) => lists.merge(conversation, personal),
    'conversation:deleted': ({ conversation }) => drop(conversation, 'deleted'),
    'conversation:participant_added': ({ conversation, addedUserId, user }) => {
      onMembership('added to', isOwnChange(conversation, addedUserId) ? null : user);
    },
    'conversation:participant_removed': ({ conversation, removedUserId, user }) => {
      if (removedUserId === me) drop(conversation, 'removed');
      const isAlreadyKnown = removedUserId === me || isOwnChange(conversation, removedUserId);
      onMembership('removed from', isAlreadyKnown ? null : user);
    },
  };
}
