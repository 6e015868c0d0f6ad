import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { createDelayedTasks, REORDER_WAIT_MS } from '#lib/delayed-tasks.ts';
import { withNewMessage, withoutContent, withRead } from './conversation.ts';
import type { ListChanges } from './conversation-list-cache.ts';

export type MessageEventDeps = {
  currentUserId: string;
  lists: ListChanges & { reload: () => void };
  buffer: MessageBuffer;
  isSeen: (message: Message) => boolean;
};

export function messageEvents({ currentUserId, lists, buffer, isSeen }: MessageEventDeps) {
  const handle = (message: Message) =>
    lists.update(message.conversation, (conversation) =>
      withNewMessage(conversation, message, { currentUserId, isSeen: isSeen(message) }),
    );
  const isEarly = ({ conversation, seq }: Message) => lists.isAfterGap(conversation, seq);
  const handleInOrder = (message: Message) => {
    handle(message);
    buffer.drain(message.conversation, (next) => !isEarly(next), handle);
  };
  /** An earlier message was lost, so only the server knows the unread count. */
  const onTimeout = (message: Message) => {
    const isStillEarly = isEarly(message);
    handleInOrder(message);
    if (isStillEarly) lists.reload();
  };
  return {
    'message:new': ({ message }) => (isEarly(message) ? buffer.add(message, onTimeout) : handleInOrder(message)),
    'message:updated': ({ message }) => {
      buffer.applyEdit(message);
      lists.update(message.conversation, (cached) =>
        // A deleted message stays deleted, even if a response fetched since still has it.
        cached.lastMessage?._id === message._id && !cached.lastMessage.deleted
          ? { ...cached, lastMessage: message }
          : cached,
      );
    },
    'message:deleted': ({ conversation, message, seq }) => {
      buffer.applyDeletion(message);
      lists.update(conversation, (cached) =>
        cached.lastMessage?.seq === seq ? { ...cached, lastMessage: withoutContent(cached.lastMessage) } : cached,
      );
    },
    'message:read': ({ conversation, user, seq }) => {
      if (user === currentUserId) lists.update(conversation, (cached) => withRead(cached, seq));
    },
  } satisfies Partial<ChatServerEvents>;
}

/** Creates a listener for `onAny` of the socket, which runs before the listeners registered by name. */
export const createListener =
  (events: Partial<ChatServerEvents>) =>
  (name: string, payload: unknown): void => {
    const handler = Object.entries(events).find(([eventName]) => eventName === name)?.[1];
    // The event map pairs each name with its payload; only the union type is available here.
    (handler as ((payload: unknown) => void) | undefined)?.(payload);
  };

type MessageBuffer = ReturnType<typeof createMessageBuffer>;

/**
 * Events from another pod usually fill a gap quickly; refetching immediately would make every open client send a
 * request.
 */
export function createMessageBuffer(ms = REORDER_WAIT_MS) {
  const buffered = new Map<string, Message>();
  const delayedTasks = createDelayedTasks(ms);
  return {
    add(message: Message, onTimeout: (message: Message) => void): void {
      if (buffered.has(message._id)) return;
      buffered.set(message._id, message);
      delayedTasks.after(() => {
        const current = buffered.get(message._id);
        if (buffered.delete(message._id) && current) onTimeout(current);
      });
    },
    drain(conversationId: string, isNext: (message: Message) => boolean, handle: (message: Message) => void): void {
      const bufferedHere = [...buffered.values()].filter((message) => message.conversation === conversationId);
      for (const message of bufferedHere.sort((a, b) => a.seq - b.seq)) {
        if (!isNext(message)) return;
        buffered.delete(message._id);
        handle(message);
      }
    },
    /** A deletion wins over an edit in either order of arrival. */
    applyEdit(message: Message): void {
      if (buffered.get(message._id)?.deleted === false) buffered.set(message._id, message);
    },
    applyDeletion(id: string): void {
      const message = buffered.get(id);
      if (message) buffered.set(id, withoutContent(message));
    },
    stop(): void {
      delayedTasks.stop();
      buffered.clear();
    },
  };
}
