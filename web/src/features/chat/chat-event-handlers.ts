import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { withOwnReactions } from './log/broadcast-reactions.ts';
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
  onRead: (conversationId: string, seq: number) => void;
  onGone: (conversationId: string, reason: 'deleted' | 'removed') => void;
  /** `user` is null if the signed-in user was removed. */
  onMembership: (change: 'added to' | 'removed from', conversationId: string, user: UserSummary | null) => void;
};

export function chatEventHandlers(chat: Chat): Partial<ChatServerEvents> {
  const { currentUserId, open, isVisible, store, typing, onRead, onGone, onMembership } = chat;
  const { logOf } = store;
  const drop = (conversationId: string, reason: 'deleted' | 'removed') => {
    onGone(conversationId, reason);
    store.deleteLog(conversationId);
  };
  const applyToLog = (conversationId: string, change: (log: MessageLog) => MessageLog) =>
    store.applyToLog(conversationId, (log) =>
      conversationId === open ? change(log) : trimmedForBackground(change(log)),
    );
  const applyRevision = (
    conversationId: string,
    change: (log: MessageLog) => MessageLog,
    revision: number | undefined,
  ) => applyToLog(conversationId, (log) => withRevision(change(log), revision));
  // Messages that failed to load or are still loading have not been seen.
  const isSeen = ({ conversation, sender }: Message) =>
    conversation === open && isVisible() && logOf(conversation).isLoaded && sender._id !== currentUserId;
  return {
    'message:new': ({ message }) => {
      applyToLog(message.conversation, (log) => withReceived(log, [message]));
      typing.stop(message.conversation, message.sender._id);
      if (isSeen(message)) onRead(message.conversation, message.seq);
    },
    'message:updated': ({ message, revision, reacted }) => {
      const update = withOwnReactions(message, currentUserId, reacted);
      applyRevision(message.conversation, (log) => withReceived(log, [update]), revision);
    },
    'message:deleted': ({ conversation, seq, revision }) =>
      applyRevision(conversation, (log) => withDeleted(log, seq), revision),
    'typing:start': ({ conversation, user, firstName }) => typing.start(conversation, { id: user, name: firstName }),
    'typing:stop': ({ conversation, user }) => typing.stop(conversation, user),
    'conversation:deleted': ({ conversation }) => drop(conversation, 'deleted'),
    'conversation:participant_added': ({ conversation, user }) => onMembership('added to', conversation, user),
    'conversation:participant_removed': ({ conversation, removedUserId, user }) => {
      if (removedUserId === currentUserId) drop(conversation, 'removed');
      onMembership('removed from', conversation, removedUserId === currentUserId ? null : user);
    },
  };
}
