import type { Message } from '@atrium/proto-events/http/chat-messages';
import { createDelayedTasks, SETTLE_MS } from '../../lib/delayed-tasks.ts';
import { emptied } from './conversation-reducers.ts';

export type EarlyMessages = ReturnType<typeof earlyMessages>;

/**
 * Messages that came before one that belongs in front of them: another pod says that, a moment later most often. Until then a list of
 * conversations does without them, as whoever has it open would ask for it at once for what is on its way to them.
 */
export function earlyMessages(ms = SETTLE_MS) {
  const kept = new Map<string, Message>();
  const settled = createDelayedTasks(ms);
  return {
    /** Keeps one back; `giveUp` takes it as it is by then, where nothing came that it waits for. */
    keep(message: Message, giveUp: (message: Message) => void): void {
      if (kept.has(message._id)) return;
      kept.set(message._id, message);
      settled.after(() => {
        const late = kept.get(message._id);
        if (kept.delete(message._id) && late) giveUp(late);
      });
    },
    /** Takes out those of a conversation whose turn it is, in their order. */
    take(conversation: string, isTurnOf: (message: Message) => boolean, then: (message: Message) => void): void {
      const waiting = [...kept.values()].filter((one) => one.conversation === conversation);
      for (const message of waiting.sort((one, other) => one.seq - other.seq)) {
        if (!isTurnOf(message)) return;
        kept.delete(message._id);
        then(message);
      }
    },
    /** One that is kept back was edited. What is deleted stays so, whichever was told first. */
    edited(message: Message): void {
      if (kept.get(message._id)?.deleted === false) kept.set(message._id, message);
    },
    /** One that is kept back was deleted. */
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
