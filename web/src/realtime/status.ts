import { useSyncExternalStore } from 'react';

export type ConnectionStatus = 'connected' | 'disconnected';

let status: ConnectionStatus = 'disconnected';
const listeners = new Set<() => void>();
const onConnect = new Set<() => void>();

export function setStatus(next: ConnectionStatus): void {
  if (next === status) return;
  status = next;
  for (const notify of listeners) notify();
  if (next === 'connected') noteConnected();
}

/** For a connection that was replaced by another so quickly that nobody need hear of it, but for what was said between the two. */
export function noteConnected(): void {
  for (const notify of onConnect) notify();
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export function useConnectionStatus(): ConnectionStatus {
  return useSyncExternalStore(subscribe, () => status);
}

/** Calls back each time the sockets are up again, so that whoever shows something catches up with what was missed. */
export function whenConnected(listener: () => void): () => void {
  onConnect.add(listener);
  return () => onConnect.delete(listener);
}
