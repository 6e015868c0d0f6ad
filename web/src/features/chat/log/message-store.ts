import { useSyncExternalStore } from 'react';
import { createUserScopedStore, type UserScopedStore } from '#lib/session/user-scoped-store.ts';
import { onUserChanges } from '#realtime/user-changes.ts';
import { EMPTY_LOG, type MessageLog, trimmed, withUsers } from './message-log.ts';

const MAX_BACKGROUND_MESSAGES = 100;
const MAX_CACHED_LOGS = 50;

type Change = (log: MessageLog) => MessageLog;
/** By the id of a conversation or of a thread (`log-id.ts`), most recently changed last. */
export type LogsById = ReadonlyMap<string, MessageLog>;
export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(logs: UserScopedStore<LogsById>) {
  /** Visible logs, which are not trimmed. */
  const visibleIds = new Set<string>();
  const logOf = (logId: string): MessageLog => logs.get().get(logId) ?? EMPTY_LOG;
  /** Call this before a request: a response that arrives after a sign-out must be discarded. */
  const logWriter = (logId: string): ((change: Change) => void) => {
    const owner = logs.owner();
    return (change) =>
      logs.change(owner, (all) => {
        const before = all.get(logId) ?? EMPTY_LOG;
        const after = change(before);
        if (after === before) return all;
        const otherEntries = [...all].filter(([id]) => id !== logId);
        const backgroundEntries = otherEntries.filter(([id]) => !visibleIds.has(id));
        const excess = Math.max(0, otherEntries.length + 1 - MAX_CACHED_LOGS);
        const droppedIds = new Set(backgroundEntries.slice(0, excess).map(([id]) => id));
        return new Map([...otherEntries.filter(([id]) => !droppedIds.has(id)), [logId, after]]);
      });
  };
  const changeLog = (logId: string, change: Change): void => logWriter(logId)(change);
  return {
    logOf,
    logWriter,
    changeLog,
    changeAllLogs: (change: Change): void =>
      void logs.change(logs.owner(), (all) => new Map([...all].map(([id, log]) => [id, change(log)]))),
    onLogsChange: logs.subscribe,
    isVisible: (logId: string): boolean => visibleIds.has(logId),
    /** Protects a visible log from trimming until the returned function is called. */
    showLog(logId: string): () => void {
      visibleIds.add(logId);
      return () => {
        visibleIds.delete(logId);
        changeLog(logId, trimmedForBackground);
      };
    },
    /** Ignores logs that are not loaded, because opening one loads it completely. */
    applyToLog(logId: string, change: Change): void {
      const isKnown = visibleIds.has(logId) || logOf(logId).isLoaded;
      if (isKnown) changeLog(logId, change);
    },
    /** Includes the threads of the conversation. */
    deleteLogs(conversationId: string): void {
      const isOther = ([id, { messages }]: readonly [string, MessageLog]) =>
        id !== conversationId && messages[0]?.conversation !== conversationId;
      logs.change(logs.owner(), (all) => new Map([...all].filter(isOther)));
    },
  };
}

/**
 * Keeps only the end of a log in the background. Logs at an older place or with a gap are dropped, because later
 * messages would wait for the gap.
 */
export const trimmedForBackground = (log: MessageLog): MessageLog =>
  log.hasNewer || log.ahead.length > 0
    ? { ...EMPTY_LOG, windowNumber: log.windowNumber }
    : trimmed(log, MAX_BACKGROUND_MESSAGES);

const userLogs = createUserScopedStore<LogsById>(() => new Map());

export const messageStore = createMessageStore(userLogs);

// Each message includes its users as of when it was read. Logs stay cached while other screens are shown.
onUserChanges((users) => messageStore.changeAllLogs((log) => withUsers(log, users)));

export const { logOf, logWriter, changeLog, applyToLog, showLog } = messageStore;

export function useLog(logId: string): MessageLog {
  return useSyncExternalStore(messageStore.onLogsChange, () => logOf(logId));
}
