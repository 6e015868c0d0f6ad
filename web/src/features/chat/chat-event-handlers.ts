import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { type MessageEventDeps, messageEvents } from '#entities/conversation/conversation-events.ts';
import { type MessageLog, withDeleted, withReceived, withRevision } from './log/message-log.ts';
import { type MessageStore, trimmedForBackground } from './log/message-store.ts';

export type Chat = {
  currentUserId: string;
  open: string | null;
  isVisible: () => boolean;
  store: MessageStore;
  typing: {
    start: (conversationId: string, typist: { id: string; name: string }) => void;
    stop: (conversationId: string, user: string) => void;
  };
  lists: MessageEventDeps['lists'];
  buffer: MessageEventDeps['buffer'];
  onRead: (conversationId: string, seq: number) => void;
  onGone: (conversationId: string, reason: 'deleted' | 'removed') => void;
  /** `user` is null if the signed-in user was removed. */
  onMembership: (change: 'added to' | 'removed from', conversationId: string, user: UserSummary | null) => void;
};

type Events = { [Name in keyof ChatServerEvents]?: ChatServerEvents[Name] };

export function chatEventHandlers(chat: Chat): Events {
  const { currentUserId, open, isVisible, store, typing, lists, buffer, onRead, onGone, onMembership } = chat;
  const { logOf } = store;
  const drop = (conversationId: string, reason: 'deleted' | 'removed') => {
    onGone(conversationId, reason);
    store.deleteLog(conversationId);
    lists.remove(conversationId);
  };
  const applyToLog = (conversationId: string, change: (log: MessageLog) => MessageLog) =>
    store.applyToLog(conversationId, (log) =>
      conversationId === open ? change(log) : trimmedForBackground(change(log)),
    );
  const applyRevision = (
    conversationId: string,
    change: (log: MessageLog) => MessageLog,
    revision: number | undefined,
  ) => {
    applyToLog(conversationId, (log) => withRevision(change(log), revision));
  };
  // Messages that failed to load or are still loading have not been seen.
  const isSeen = ({ conversation }: Message) => conversation === open && isVisible() && logOf(conversation).isLoaded;
  const listHandlers = messageEvents({ currentUserId, lists, buffer, isSeen });
  const receive = (message: Message) => {
    applyToLog(message.conversation, (log) => withReceived(log, [message]));
    typing.stop(message.conversation, message.sender._id);
    listHandlers['message:new']({ message });
    if (isSeen(message) && message.sender._id !== currentUserId) onRead(message.conversation, message.seq);
  };
  return {
    'message:new': ({ message }) => receive(message),
    'message:updated': ({ message, revision }) => {
      applyRevision(message.conversation, (log) => withReceived(log, [message]), revision);
      listHandlers['message:updated']({ message });
    },
    'message:deleted': (deletion) => {
      applyRevision(deletion.conversation, (log) => withDeleted(log, deletion.seq), deletion.revision);
      listHandlers['message:deleted'](deletion);
    },
    'message:read': listHandlers['message:read'],
    'typing:start': ({ conversation, user, firstName }) => typing.start(conversation, { id: user, name: firstName }),
    'typing:stop': ({ conversation, user }) => typing.stop(conversation, user),
    'conversation:new': ({ conversation }) => lists.put(conversation),
    'conversation:updated': ({ conversation, personal }) => lists.merge(conversation, personal),
    'conversation:deleted': ({ conversation }) => drop(conversation, 'deleted'),
    'conversation:participant_added': ({ conversation, user }) => onMembership('added to', conversation, user),
    'conversation:participant_removed': ({ conversation, removedUserId, user }) => {
      if (removedUserId === currentUserId) drop(conversation, 'removed');
      onMembership('removed from', conversation, removedUserId === currentUserId ? null : user);
    },
  };
}
