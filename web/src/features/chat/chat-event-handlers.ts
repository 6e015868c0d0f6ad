import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { withoutContent } from '#entities/conversation/conversation.ts';
import { withOwnReactions } from './log/broadcast-reactions.ts';
import { logIdOf } from './log/log-id.ts';
import { laterThread, newer } from './log/merge-messages.ts';
import { type MessageLog, withDeleted, withReceived, withRevision, withSaved, withThread } from './log/message-log.ts';
import { type MessageStore, trimmedForBackground } from './log/message-store.ts';
import { changeRoot, deleteRoots } from './log/thread-roots.ts';

/** `left`: the signed-in user has left it on some device. */
type GoneReason = 'deleted' | 'removed' | 'left';
export type MembershipChange = 'added to' | 'removed from' | 'left';

export type Chat = {
  currentUserId: string;
  open: string | null;
  /** The id of the open thread's log. */
  openThread?: string | null;
  isVisible: (logId: string) => boolean;
  store: MessageStore;
  typing: {
    start: (logId: string, typist: { id: string; name: string }) => void;
    stop: (logId: string, user: string) => void;
  };
  onRead: (logId: string, seq: number) => void;
  onGone: (conversationId: string, reason: GoneReason) => void;
  /** Called when others join or leave the open conversation. */
  onMembership: (change: MembershipChange, conversationId: string, user: UserSummary) => void;
};

export function chatEventHandlers(chat: Chat): Partial<ChatServerEvents> {
  const { currentUserId, open, openThread, isVisible, store, typing, onRead, onGone, onMembership } = chat;
  const { logOf } = store;
  const drop = (conversationId: string, reason: GoneReason) => {
    onGone(conversationId, reason);
    store.deleteLogs(conversationId);
    deleteRoots(conversationId);
  };
  const isOpen = (logId: string) => logId === open || logId === openThread;
  const applyToLog = (logId: string, change: (log: MessageLog) => MessageLog) =>
    store.applyToLog(logId, (log) => (isOpen(logId) ? change(log) : trimmedForBackground(change(log))));
  const applyRevision = (logId: string, change: (log: MessageLog) => MessageLog, revision: number | undefined) =>
    applyToLog(logId, (log) => withRevision(change(log), revision));
  const receive = (logId: string, message: Message) => {
    applyToLog(logId, (log) => withReceived(log, [message]));
    typing.stop(logId, message.sender._id);
    // Messages that failed to load or are still loading have not been seen.
    const isSeen = isOpen(logId) && isVisible(logId) && logOf(logId).isLoaded && message.sender._id !== currentUserId;
    if (isSeen) onRead(logId, message.seq);
  };
  const noticeMembership = (change: MembershipChange, conversationId: string, user: UserSummary) => {
    if (conversationId === open && user._id !== currentUserId) onMembership(change, conversationId, user);
  };
  return {
    'message:new': ({ message }) => receive(message.conversation, message),
    'thread:message'({ message, thread, revision }) {
      const root = message.thread?.root;
      if (root === undefined) return;
      receive(logIdOf({ ...message, thread: root }), message);
      applyRevision(message.conversation, (log) => withThread(log, root, thread), revision);
      changeRoot(root, (known) => ({ ...known, thread: laterThread(known.thread, thread) }));
    },
    'message:updated'({ message, revision, reacted, thread }) {
      const update = withOwnReactions(message, currentUserId, reacted);
      applyRevision(logIdOf({ ...message, thread }), (log) => withReceived(log, [update]), revision);
      changeRoot(message._id, (known) => newer(known, update));
    },
    'message:deleted'({ conversation, message, seq, revision, thread }) {
      applyRevision(logIdOf({ conversation, thread }), (log) => withDeleted(log, seq), revision);
      changeRoot(message, withoutContent);
    },
    'message:saved'({ conversation, message, thread, saved }) {
      for (const logId of new Set([conversation, logIdOf({ conversation, thread })]))
        applyToLog(logId, (log) => withSaved(log, message, saved));
      changeRoot(message, (known) => ({ ...known, saved }));
    },
    'typing:start': ({ user, firstName, ...place }) => typing.start(logIdOf(place), { id: user, name: firstName }),
    'typing:stop': ({ user, ...place }) => typing.stop(logIdOf(place), user),
    'conversation:deleted': ({ conversation }) => drop(conversation, 'deleted'),
    'conversation:participant_added': ({ conversation, user }) => noticeMembership('added to', conversation, user),
    'conversation:participant_removed': ({ conversation, removedUserId, user, left }) => {
      if (removedUserId === currentUserId) drop(conversation, left ? 'left' : 'removed');
      noticeMembership(left ? 'left' : 'removed from', conversation, user);
    },
  };
}
