import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createLogs, type LogsById } from './logs.ts';
import type { MessageLog } from './message-log.ts';

/** Scoped to the signed-in user. */
export const logs = createLogs(createUserScopedStore<LogsById>(() => new Map()));

export const { of: logOf, writer: logWriter, change: changeLog, show: showLog, follow: followLog } = logs;

export function useLog(conversation: string): MessageLog {
  return useSyncExternalStore(logs.onChange, () => logOf(conversation));
}
