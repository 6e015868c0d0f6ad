import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { ChatServerEvents, LiveServerEvents } from '@atrium/proto-events/realtime';
import type { ListChanges } from '../../entities/conversation/list-changes.ts';
import { SETTLE_MS } from '../../realtime/follow-live.ts';
import { chatSocket, emitChat, liveSocket } from '../../realtime/socket.ts';
import { withNews, withRead } from './conversation-news.ts';
import { dropOutgoing } from './files/outbox.ts';
import {
  emptied,
  hasGap,
  isBehind,
  type MessageLog,
  missesChanges,
  withDeleted,
  withReceived,
  withRevision,
  withToldOf,
} from './log/message-log.ts';
import { followLog, forgetLog, logOf, onLogChange, rested } from './log/message-store.ts';
import { catchUp, catchUpChanges } from './log/sync-messages.ts';
import { isOwnChange } from './messages/own-changes.ts';
import { noteStopped, noteTyping } from './typing-store.ts';

/** What Team Chat has, and what it does where something is said; without a screen, so that a test can be one. */
export type Chat = {
  me: string;
  /** The conversation that is open. */
  open: string | null;
  /** Whether what comes into the open one is seen. */
  isVisible: () => boolean;
  /** `reload` asks for the lists again. */
  lists: ListChanges & { reload: () => void };
  onRead: (conversation: string, seq: number) => void;
  /** One is nobody's any more, or not one's own. */
  onGone: (conversation: string, why: 'deleted' | 'removed') => void;
  onMembership: (what: 'added to' | 'removed from', person: UserSummary | null) => void;
};

type Events = { [Name in keyof ChatServerEvents]?: ChatServerEvents[Name] };

/** What Team Chat makes of each thing that its socket says. */
export function chatEvents({ me, open, isVisible, lists, onRead, onGone, onMembership }: Chat): Events {
  const leave = (conversation: string, why: 'deleted' | 'removed') => {
    onGone(conversation, why);
    forgetLog(conversation);
    dropOutgoing(conversation);
    lists.remove(conversation);
  };
  const followChange = (
    conversation: string,
    change: (log: MessageLog) => MessageLog,
    revision: number | undefined,
  ) => {
    followLog(conversation, (known) => withRevision(change(known), revision));
  };
  const receive = (message: Message) => {
    const isOpen = message.conversation === open;
    const log = followLog(message.conversation, (known) => {
      const received = withReceived(known, [message]);
      return isOpen ? received : rested(received);
    });
    if (isOpen && hasGap(log)) catchUpQuietly(message.conversation);
    noteStopped(message.conversation, message.sender._id);
    const isSeen = isOpen && isVisible();
    const isAfterGap = lists.isAfterGap(message.conversation, message.seq);
    lists.update(message.conversation, (known) => withNews(known, message, { me, isSeen }));
    // One before it was lost, or comes later: it is counted by the server alone.
    if (isAfterGap) lists.reload();
    if (isSeen && message.sender._id !== me) onRead(message.conversation, message.seq);
  };
  return {
    'message:new': ({ message }) => receive(message),
    'message:updated': ({ message, revision }) => {
      followChange(message.conversation, (log) => withReceived(log, [message]), revision);
      lists.update(message.conversation, (known) =>
        known.lastMessage?._id === message._id ? { ...known, lastMessage: message } : known,
      );
    },
    'message:deleted': ({ conversation, seq, revision }) => {
      followChange(conversation, (log) => withDeleted(log, seq), revision);
      lists.update(conversation, ({ lastMessage, ...known }) => ({
        ...known,
        lastMessage: lastMessage?.seq === seq ? emptied(lastMessage) : lastMessage,
      }));
    },
    'message:read': ({ conversation, user, seq }) => {
      if (user === me) lists.update(conversation, (known) => withRead(known, seq));
    },
    'typing:start': ({ conversation, user, firstName }) => noteTyping(conversation, { id: user, name: firstName }),
    'typing:stop': ({ conversation, user }) => noteStopped(conversation, user),
    'conversation:new': ({ conversation }) => lists.put(conversation),
    'conversation:updated': ({ conversation }) => lists.put(conversation),
    'conversation:deleted': ({ conversation }) => leave(conversation, 'deleted'),
    'conversation:participant_added': ({ conversation, addedUserId, user }) => {
      onMembership('added to', isOwnChange(conversation, addedUserId) ? null : user);
    },
    'conversation:participant_removed': ({ conversation, removedUserId, user }) => {
      if (removedUserId === me) leave(conversation, 'removed');
      const isToldAlready = removedUserId === me || isOwnChange(conversation, removedUserId);
      onMembership('removed from', isToldAlready ? null : user);
    },
  };
}

/**
 * A message of the open conversation whose own event was lost on the way is noticed by its seq, and a change of one by its revision, until
 * the returned function ends it.
 */
export function catchUpByHints(open: string): () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const onChanged: LiveServerEvents['changed'] = ({ changes }) => {
    const told = changes.filter(({ resource, id }) => resource === 'message' && id === open);
    if (told.length === 0) return;
    const seq = Math.max(...told.map(({ version }) => version));
    const revision = Math.max(...told.map((one) => one.revision ?? 0));
    if (isBehind(logOf(open), seq)) later(() => isBehind(logOf(open), seq) && catchUpQuietly(open));
    if (missesChanges(withToldOf(logOf(open), revision)))
      later(() => followLog(open, (log) => withToldOf(log, revision)));
  };
  const later = (check: () => unknown) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      check();
    }, SETTLE_MS);
    timers.add(timer);
  };
  // However it came so: an event was lost, or a page came that was read before the change.
  const stopWatching = onLogChange(() => {
    if (missesChanges(logOf(open))) catchUpChanges(open).catch(() => undefined);
  });
  liveSocket.on('changed', onChanged);
  return () => {
    stopWatching();
    liveSocket.off('changed', onChanged);
    timers.forEach(clearTimeout);
  };
}

/** Tells the server which conversation is open, again after every reconnect. */
export function keepJoined(open: string): () => void {
  const tell = (event: 'conversation:join' | 'conversation:leave') => {
    if (chatSocket.connected) emitChat(event, { conversationId: open }).catch(() => undefined);
  };
  const join = () => tell('conversation:join');
  join();
  chatSocket.on('connect', join);
  return () => {
    chatSocket.off('connect', join);
    tell('conversation:leave');
  };
}

/** One that fails is made good by the next hint, or by the reconnect that follows. */
function catchUpQuietly(conversation: string): void {
  catchUp(conversation).catch(() => undefined);
}
