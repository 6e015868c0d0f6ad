import type { Message } from '@atrium/proto-events/http/chat-messages';
import { createDelayedTasks, SETTLE_MS } from '../../lib/delayed-tasks.ts';
import { emptied } from './conversation-reducers.ts';

export type EarlyMessages = ReturnType<typeof earlyMessages>;

/**
 * Out-of-order messages, buffered until the gap closes. Events from another pod usually fill it within moments, and refetching at once
 * would make every open client request it.
 */
export function earlyMessages(ms = SETTLE_MS) {
  const kept = new Map<string, Message>();
  const settled = createDelayedTasks(ms);
  return {
    /** Buffers a message; `giveUp` receives its latest version if the gap does not close in time. */
    keep(message: Message, giveUp: (message: Message) => void): void {
      if (kept.has(message._id)) return;
      kept.set(message._id, message);
      settled.after(() => {
        const late = kept.get(message._id);
        if (kept.delete(message._id) && late) giveUp(late);
      });
    },
    /** Removes and processes a conversation's messages in order while `isTurnOf` accepts the next one. */
    take(conversation: string, isTurnOf: (message: Message) => boolean, then: (message: Message) => void): void {
      const waiting = [...kept.values()].filter((one) => one.conversation === conversation);
      for (const message of waiting.sort((one, other) => one.seq - other.seq)) {
        if (!isTurnOf(message)) return;
        kept.delete(message._id);
        then(message);
      }
    },
    /** Applies an edit to a buffered message. Deletion wins, whichever event came first. */
    edited(message: Message): void {
      if (kept.get(message._id)?.deleted === false) kept.set(message._id, message);
    },
    deleted(id: string): void {
      const message = kept.get(id);
      if (message) kept.set(id, emptied(message));
    },
    stop(): void {
      settled.stop();
      kept.clear();
    },
  };
}
