import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners.ts';

export type ConnectionStatus = 'connected' | 'disconnected';

let status: ConnectionStatus = 'disconnected';
let wasConnected = false;
const listeners = createListeners();
const connects = createListeners();

export function setStatus(next: ConnectionStatus): void {
  if (next === status) return;
  status = next;
  wasConnected ||= next === 'connected';
  listeners.tell();
  if (next === 'connected') noteConnected();
}

/** Whether the sockets were up and are not any more. */
export const isDisconnected = (): boolean => wasConnected && status === 'disconnected';

/** For a connection that was replaced by another so quickly that nobody need hear of it, but for what was said between the two. */
export const noteConnected = connects.tell;

export function useConnectionStatus(): ConnectionStatus {
  return useSyncExternalStore(listeners.subscribe, () => status);
}

/** Calls back each time the sockets are up again, so that whoever shows something catches up with what was missed. */
export const whenConnected = connects.subscribe;
