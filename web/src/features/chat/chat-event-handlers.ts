import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { ChatServerEvents, LiveServerEvents } from '@atrium/proto-events/realtime';
import { type MessageEventDeps, messageEvents } from '#entities/conversation/conversation-events.ts';
import { createDelayedTasks, SETTLE_MS } from '#lib/delayed-tasks.ts';
import type { ChatSocket, LiveSocket } from '#realtime/socket.ts';
import { createGapPoller } from './log/gap-poller.ts';
import { type Logs, trimmedForBackground } from './log/logs.ts';
import {
  hasMissedChanges,
  isBehind,
  type MessageLog,
  withAnnouncedRevision,
  withDeleted,
  withKnownSeq,
  withReceived,
  withRevision,
} from './log/message-log.ts';
import type { Sync } from './log/sync.ts';

/** The state of all of the user's conversations, open or not. */
export type ChatDeps = {
  logs: Logs;
  sync: Pick<Sync, 'catchUp' | 'catchUpChanges'>;
  sockets: { chat: ChatSocket; live: LiveSocket };
  typing: {
    start: (conversation: string, who: { id: string; name: string }) => void;
    stop: (conversation: string, user: string) => void;
  };
  /** Cancels outgoing messages of a conversation that no longer exists. */
  dropOutgoing: (conversation: string) => void;
  /** Whether this browser just added or removed the user, or deleted the conversation. */
  isOwnChange: (conversation: string, user?: string) => boolean;
};

/** Team Chat's state and event callbacks, independent of React for tests. */
export type Chat = ChatDeps & {
  me: string;
  /** The id of the open conversation. */
  open: string | null;
  /** Whether messages arriving in the open conversation are visible. */
  isVisible: () => boolean;
  lists: MessageEventDeps['lists'];
  buffer: MessageEventDeps['buffer'];
  onRead: (conversation: string, seq: number) => void;
  /** The conversation was deleted, or the user was removed from it. */
  onGone: (conversation: string, why: 'deleted' | 'removed') => void;
  onMembership: (what: 'added to' | 'removed from', person: UserSummary | null) => void;
};

type Events = { [Name in keyof ChatServerEvents]?: ChatServerEvents[Name] };

/** The handler of each chat socket event. */
export function chatEvents(chat: Chat): Events {
  const { logs, typing, dropOutgoing, isOwnChange } = chat;
  const { me, open, isVisible, lists, buffer, onRead, onGone, onMembership } = chat;
  const leave = (conversation: string, why: 'deleted' | 'removed') => {
    onGone(conversation, why);
    logs.forget(conversation);
    dropOutgoing(conversation);
    lists.remove(conversation);
  };
  const follow = (conversation: string, change: (log: MessageLog) => MessageLog) =>
    logs.follow(conversation, (known) => (conversation === open ? change(known) : trimmedForBackground(change(known))));
  const followChange = (
    conversation: string,
    change: (log: MessageLog) => MessageLog,
    revision: number | undefined,
  ) => {
    follow(conversation, (known) => withRevision(change(known), revision));
  };
  // Messages that failed to load or are still loading have not been seen.
  const isSeen = ({ conversation }: Message) => conversation === open && isVisible() && logs.of(conversation).isLoaded;
  const listed = messageEvents({ me, lists, buffer, isSeen });
  const receive = (message: Message) => {
    follow(message.conversation, (known) => withReceived(known, [message]));
    typing.stop(message.conversation, message.sender._id);
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
    'typing:start': ({ conversation, user, firstName }) => typing.start(conversation, { id: user, name: firstName }),
    'typing:stop': ({ conversation, user }) => typing.stop(conversation, user),
    'conversation:new': ({ conversation }) => lists.put(conversation),
    'conversation:updated': ({ conversation, personal }) => lists.merge(conversation, personal),
    'conversation:deleted': ({ conversation }) => leave(conversation, 'deleted'),
    'conversation:participant_added': ({ conversation, addedUserId, user }) => {
      onMembership('added to', isOwnChange(conversation, addedUserId) ? null : user);
    },
    'conversation:participant_removed': ({ conversation, removedUserId, user }) => {
      if (removedUserId === me) leave(conversation, 'removed');
      const isAlreadyKnown = removedUserId === me || isOwnChange(conversation, removedUserId);
      onMembership('removed from', isAlreadyKnown ? null : user);
    },
  };
}

/**
 * Fetches what the open conversation's log is missing: messages known only by seq, or changes known only by revision, because their events
 * were lost or a page predates them. Out-of-order messages from another pod get a moment to arrive, because otherwise every open client
 * would request them at once. Returns a function that stops it.
 */
export function fillGaps(open: string, { logs, sync, sockets }: ChatDeps): () => void {
  const getMissingSeq = () => (isBehind(logs.of(open)) ? logs.of(open).lastKnownSeq : null);
  const getMissingRevision = () => (hasMissedChanges(logs.of(open)) ? logs.of(open).announcedRevision : null);
  const messages = createGapPoller({ getMissing: getMissingSeq, fetchMissing: () => sync.catchUp(open) });
  const changes = createGapPoller({ getMissing: getMissingRevision, fetchMissing: () => sync.catchUpChanges(open) });
  const look = () => {
    messages.check();
    changes.check();
  };
  const settled = createDelayedTasks(SETTLE_MS);
  let isSettling = false;
  const settle = () => {
    if (isSettling || (getMissingSeq() === null && getMissingRevision() === null)) return;
    isSettling = true;
    settled.after(() => {
      isSettling = false;
      look();
    });
  };
  const onChanged: LiveServerEvents['changed'] = ({ changes: all }) => {
    const relevant = all.filter(({ resource, id }) => resource === 'message' && id === open);
    if (relevant.length === 0) return;
    const seq = Math.max(...relevant.map(({ version }) => version));
    const revision = Math.max(...relevant.map((one) => one.revision ?? 0));
    // A hint can arrive before the message it refers to.
    settled.after(() => {
      logs.follow(open, (log) => withAnnouncedRevision(withKnownSeq(log, seq), revision));
      look();
    });
  };
  const stopWatching = logs.onChange(settle);
  sockets.live.on('changed', onChanged);
  look();
  return () => {
    stopWatching();
    sockets.live.off('changed', onChanged);
    for (const { stop } of [settled, messages, changes]) stop();
  };
}
