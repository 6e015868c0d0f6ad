import type { UserScopedStore } from '#lib/session/user-scoped-store.ts';
import { trimmed } from './log-window.ts';
import { EMPTY_LOG, type MessageLog } from './message-log.ts';

/** Messages cached per background conversation, and the number of conversations cached. */
const MAX_BACKGROUND_MESSAGES = 100;
const MAX_CACHED_LOGS = 50;

type Change = (log: MessageLog) => MessageLog;
/** By conversation id, most recently changed last. */
export type LogsById = ReadonlyMap<string, MessageLog>;
export type Logs = ReturnType<typeof createLogs>;

/**
 * A background conversation keeps only its end; logs at an older place or with a gap are dropped, because later messages would wait for
 * the gap.
 */
export const trimmedForBackground = (log: MessageLog): MessageLog =>
  log.hasNewer || log.ahead.length > 0 ? { ...EMPTY_LOG, opening: log.opening } : trimmed(log, MAX_BACKGROUND_MESSAGES);

/** The cached logs of all conversations. */
export function createLogs(store: UserScopedStore<LogsById>) {
  const shown = new Set<string>();
  const of = (conversation: string): MessageLog => store.get().get(conversation) ?? EMPTY_LOG;
  /**
   * Returns a function that writes to the log of the current user. Call this before a request: a response that arrives after a sign-out
   * must be discarded.
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
        const dropped = new Set(resting.slice(0, Math.max(0, others.length + 1 - MAX_CACHED_LOGS)).map(([id]) => id));
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
    all: (): MessageLog[] => [...store.get().values()],
    /** Like `writer`, for all cached logs. */
    writerOfAll() {
      const owner = store.owner();
      return (edit: Change) => void store.change(owner, (all) => new Map([...all].map(([id, log]) => [id, edit(log)])));
    },
    /** Calls `listener` after each change of any log until the returned function is called. */
    onChange: store.subscribe,
    /** Protects the log of a visible conversation from trimming until the returned function is called. */
    show(conversation: string): () => void {
      shown.add(conversation);
      return () => {
        shown.delete(conversation);
        change(conversation, trimmedForBackground);
      };
    },
    /** Applies an event to the log of any conversation; unopened ones are loaded completely when opened. */
    follow(conversation: string, edit: Change): MessageLog {
      const isKnown = shown.has(conversation) || of(conversation).isLoaded;
      return isKnown ? change(conversation, edit) : EMPTY_LOG;
    },
    forget(conversation: string): void {
      store.change(store.owner(), (all) => new Map([...all].filter(([id]) => id !== conversation)));
    },
  };
}
