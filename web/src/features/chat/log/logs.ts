import type { UserScopedStore } from '../../../lib/session/user-scoped-store.ts';
import { trimmed } from './log-window.ts';
import { EMPTY_LOG, type MessageLog } from './message-log.ts';

/** How many messages of a conversation are kept that is not open, and of how many conversations. */
const KEPT = 100;
const KEPT_LOGS = 50;

type Change = (log: MessageLog) => MessageLog;
/** By their conversations; the last to change is the last. */
export type LogsById = ReadonlyMap<string, MessageLog>;
export type Logs = ReturnType<typeof createLogs>;

/**
 * A conversation that nobody looks at keeps its end for when it is opened again; of an older place in it nothing, nor of one with a gap,
 * which nobody fills, so that all that follows would wait behind it.
 */
export const trimmedForBackground = (log: MessageLog): MessageLog =>
  log.hasNewer || log.ahead.length > 0 ? { ...EMPTY_LOG, opening: log.opening } : trimmed(log, KEPT);

/** The logs of all conversations that one browser knows. */
export function createLogs(store: UserScopedStore<LogsById>) {
  const shown = new Set<string>();
  const of = (conversation: string): MessageLog => store.get().get(conversation) ?? EMPTY_LOG;
  /**
   * Writes into the log of who is signed in now. Take one before asking the server: an answer that was on its way when its reader left
   * belongs to nobody any more.
   */
  const writer = (conversation: string): ((change: Change) => MessageLog) => {
    const owner = store.owner();
    return (change) => {
      store.change(owner, (all) => {
        const before = all.get(conversation) ?? EMPTY_LOG;
        const after = change(before);
        if (after === before) return all;
        const others = [...all].filter(([id]) => id !== conversation);
        const resting = others.filter(([id]) => !shown.has(id));
        const dropped = new Set(resting.slice(0, Math.max(0, others.length + 1 - KEPT_LOGS)).map(([id]) => id));
        return new Map([...others.filter(([id]) => !dropped.has(id)), [conversation, after]]);
      });
      return of(conversation);
    };
  };
  const change = (conversation: string, edit: Change): MessageLog => writer(conversation)(edit);
  return {
    of,
    writer,
    change,
    /** All that are held. */
    all: (): MessageLog[] => [...store.get().values()],
    /** As `writer`, into all that are held then. */
    writerOfAll() {
      const owner = store.owner();
      return (edit: Change) => void store.change(owner, (all) => new Map([...all].map(([id, log]) => [id, edit(log)])));
    },
    /** Calls back after each change of any log, until the returned function ends it. */
    onChange: store.subscribe,
    /** Of a conversation on the screen nothing is let go of; the returned function lets it rest. */
    show(conversation: string): () => void {
      shown.add(conversation);
      return () => {
        shown.delete(conversation);
        change(conversation, trimmedForBackground);
      };
    },
    /** Takes what the server tells of any conversation: one that was never opened is read whole when it is. */
    follow(conversation: string, edit: Change): MessageLog {
      const isKnown = shown.has(conversation) || of(conversation).isLoaded;
      return isKnown ? change(conversation, edit) : EMPTY_LOG;
    },
    forget(conversation: string): void {
      store.change(store.owner(), (all) => new Map([...all].filter(([id]) => id !== conversation)));
    },
  };
}
