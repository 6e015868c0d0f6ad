import { useSyncExternalStore } from 'react';
import { createPersonStore } from '../../../lib/session/person-store.ts';
import { trimmed } from './log-window.ts';
import { EMPTY_LOG, type MessageLog } from './message-log.ts';

/** How many messages of a conversation are kept that is not open, and of how many conversations. */
const KEPT = 100;
const KEPT_LOGS = 50;

type Change = (log: MessageLog) => MessageLog;

/** The last to change is the last. */
const logs = createPersonStore<ReadonlyMap<string, MessageLog>>(() => new Map());

const shown = new Set<string>();

/** Calls back after each change of any log, until the returned function ends it. */
export const onLogChange = logs.subscribe;

export function logOf(conversation: string): MessageLog {
  return logs.get().get(conversation) ?? EMPTY_LOG;
}

/**
 * Writes into the log of who is signed in now. Take one before asking the server: an answer that was on its way when its reader left
 * belongs to nobody any more.
 */
export function logWriter(conversation: string): (change: Change) => MessageLog {
  const owner = logs.owner();
  return (change) => {
    logs.change(owner, (all) => {
      const before = all.get(conversation) ?? EMPTY_LOG;
      const after = change(before);
      if (after === before) return all;
      const others = [...all].filter(([id]) => id !== conversation);
      const resting = others.filter(([id]) => !shown.has(id));
      const dropped = new Set(resting.slice(0, Math.max(0, others.length + 1 - KEPT_LOGS)).map(([id]) => id));
      return new Map([...others.filter(([id]) => !dropped.has(id)), [conversation, after]]);
    });
    return logOf(conversation);
  };
}

export function changeLog(conversation: string, change: Change): MessageLog {
  return logWriter(conversation)(change);
}

/** A conversation that nobody looks at keeps its end for when it is opened again; of an older place in it nothing. */
export const rested = (log: MessageLog): MessageLog =>
  log.hasNewer ? { ...EMPTY_LOG, pending: log.pending, opening: log.opening } : trimmed(log, KEPT);

/** Of a conversation on the screen nothing is let go of; the returned function lets it rest. */
export function showLog(conversation: string): () => void {
  shown.add(conversation);
  return () => {
    shown.delete(conversation);
    changeLog(conversation, rested);
  };
}

/** Takes what the server tells of any conversation: one that was never opened is read whole when it is. */
export function followLog(conversation: string, change: Change): MessageLog {
  const isKnown = shown.has(conversation) || logOf(conversation).isLoaded;
  return isKnown ? changeLog(conversation, change) : EMPTY_LOG;
}

export function forgetLog(conversation: string): void {
  logs.change(logs.owner(), (all) => new Map([...all].filter(([id]) => id !== conversation)));
}

export function useLog(conversation: string): MessageLog {
  return useSyncExternalStore(logs.subscribe, () => logOf(conversation));
}
