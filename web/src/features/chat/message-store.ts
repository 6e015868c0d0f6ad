import { useSyncExternalStore } from 'react';
import { currentSession, onSessionChange } from '../../lib/session.ts';
import { EMPTY_LOG, type MessageLog, trimmed } from './message-log.ts';

/** How many messages of a conversation are kept that is not open. */
const KEPT = 100;

const logs = new Map<string, MessageLog>();
const listeners = new Set<() => void>();

// What one person read is never shown to the next who signs in on the same page.
onSessionChange(() => {
  if (currentSession().state !== 'authenticated') logs.clear();
});

export function logOf(conversation: string): MessageLog {
  return logs.get(conversation) ?? EMPTY_LOG;
}

export function changeLog(conversation: string, change: (log: MessageLog) => MessageLog): MessageLog {
  const before = logOf(conversation);
  const after = change(before);
  // An answer that was on its way when its reader left belongs to nobody any more.
  if (after !== before && currentSession().state === 'authenticated') {
    logs.set(conversation, after);
    for (const notify of listeners) notify();
  }
  return after;
}

/** A conversation that was left keeps its end for when it is opened again. */
export function restLog(conversation: string): void {
  changeLog(conversation, (log) => trimmed(log, KEPT));
}

export function forgetLog(conversation: string): void {
  logs.delete(conversation);
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export function useLog(conversation: string): MessageLog {
  return useSyncExternalStore(subscribe, () => logOf(conversation));
}
