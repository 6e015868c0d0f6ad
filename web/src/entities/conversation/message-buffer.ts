import type { Message } from '@atrium/proto-events/http/chat-messages';
import { createDelayedTasks, SETTLE_MS } from '#lib/delayed-tasks.ts';
import { withoutContent } from './conversation-reducers.ts';

export type MessageBuffer = ReturnType<typeof createMessageBuffer>;

/**
 * Out-of-order messages, buffered until the gap closes. Events from another pod usually fill it within moments, and
 * refetching immediately would make every open client request it.
 */
export function createMessageBuffer(ms = SETTLE_MS) {
  const buffered = new Map<string, Message>();
  const settled = createDelayedTasks(ms);
  return {
    /** Buffers a message; `onTimeout` receives its latest version if the gap does not close in time. */
    add(message: Message, onTimeout: (message: Message) => void): void {
      if (buffered.has(message._id)) return;
      buffered.set(message._id, message);
      settled.after(() => {
        const late = buffered.get(message._id);
        if (buffered.delete(message._id) && late) onTimeout(late);
      });
    },
    /** Removes and processes a conversation's messages in order while `isNext` accepts the next one. */
    drain(conversation: string, isNext: (message: Message) => boolean, handle: (message: Message) => void): void {
      const waiting = [...buffered.values()].filter((one) => one.conversation === conversation);
      for (const message of waiting.sort((one, other) => one.seq - other.seq)) {
        if (!isNext(message)) return;
        buffered.delete(message._id);
        handle(message);
      }
    },
    /** Applies an edit to a buffered message. Deletion wins, whichever event came first. */
    edited(message: Message): void {
      if (buffered.get(message._id)?.deleted === false) buffered.set(message._id, message);
    },
    deleted(id: string): void {
      const message = buffered.get(id);
      if (message) buffered.set(id, withoutContent(message));
    },
    stop(): void {
      settled.stop();
      buffered.clear();
    },
  };
}
