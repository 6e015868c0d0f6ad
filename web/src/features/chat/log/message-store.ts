import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { EMPTY_LOG, type MessageLog, trimmed } from './message-log.ts';

/** Messages cached per background conversation, and the number of conversations cached. */
const MAX_BACKGROUND_MESSAGES = 100;
const MAX_CACHED_LOGS = 50;

type Change = (log: MessageLog) => MessageLog;

/** The cached logs by conversation id, most recently changed last. */
const logs = createUserScopedStore<ReadonlyMap<string, MessageLog>>(() => new Map());
/** Visible conversations, whose logs are not trimmed. */
const shown = createUserScopedStore(() => new Set<string>());

export const onLogsChange = logs.subscribe;

export const logOf = (conversation: string): MessageLog => logs.get().get(conversation) ?? EMPTY_LOG;

export const listLogs = (): MessageLog[] => [...logs.get().values()];

export function useLog(conversation: string): MessageLog {
  return useSyncExternalStore(onLogsChange, () => logOf(conversation));
}

/**
 * Returns a function that writes to the log of the current user. Call this before a request: a response that arrives after a sign-out
 * must be discarded.
 */
export function logWriter(conversation: string): (change: Change) => MessageLog {
  const owner = logs.owner();
  return (change) => {
    logs.change(owner, (all) => {
      const before = all.get(conversation) ?? EMPTY_LOG;
      const after = change(before);
      if (after === before) return all;
      const others = [...all].filter(([id]) => id !== conversation);
      const background = others.filter(([id]) => !shown.get().has(id));
      const excess = Math.max(0, others.length + 1 - MAX_CACHED_LOGS);
      const dropped = new Set(background.slice(0, excess).map(([id]) => id));
      return new Map([...others.filter(([id]) => !dropped.has(id)), [conversation, after]]);
    });
    return logOf(conversation);
  };
}

/** Like `logWriter`, for all cached logs. */
export function allLogsWriter(): (change: Change) => void {
  const owner = logs.owner();
  return (change) => void logs.change(owner, (all) => new Map([...all].map(([id, log]) => [id, change(log)])));
}

export const changeLog = (conversation: string, change: Change): MessageLog => logWriter(conversation)(change);

/** Applies an event to the log of any conversation; unopened ones are loaded completely when opened. */
export function followLog(conversation: string, change: Change): MessageLog {
  const isKnown = shown.get().has(conversation) || logOf(conversation).isLoaded;
  return isKnown ? changeLog(conversation, change) : EMPTY_LOG;
}

/** Protects the log of a visible conversation from trimming until the returned function is called. */
export function showLog(conversation: string): () => void {
  const ids = shown.get();
  ids.add(conversation);
  return () => {
    ids.delete(conversation);
    changeLog(conversation, trimmedForBackground);
  };
}

export function deleteLog(conversation: string): void {
  logs.change(logs.owner(), (all) => new Map([...all].filter(([id]) => id !== conversation)));
}

/**
 * A background conversation keeps only its end; logs at an older place or with a gap are dropped, because later messages would wait for
 * the gap.
 */
export const trimmedForBackground = (log: MessageLog): MessageLog =>
  log.hasNewer || log.ahead.length > 0 ? { ...EMPTY_LOG, opening: log.opening } : trimmed(log, MAX_BACKGROUND_MESSAGES);
