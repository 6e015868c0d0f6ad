import { useSyncExternalStore } from 'react';
import { createListeners } from '#lib/listeners.ts';

type ConnectionStatus = 'connecting' | 'connected' | 'disconnected';

let status: ConnectionStatus = 'connecting';
let wasConnected = false;
const listeners = createListeners();
const connectListeners = createListeners();

export function setStatus(next: ConnectionStatus): void {
  if (next === status) return;
  status = next;
  wasConnected ||= next === 'connected';
  listeners.notify();
  if (next === 'connected') notifyConnected();
}

export const isConnected = (): boolean => status === 'connected';

export const isDisconnected = (): boolean => wasConnected && status === 'disconnected';

export const isConnecting = (): boolean => status === 'connecting';

/** Also called after a reconnect that was too fast to be shown as a disconnect, because events in between were lost. */
export const notifyConnected = connectListeners.notify;

export function useConnectionStatus(): ConnectionStatus {
  return useSyncExternalStore(listeners.subscribe, () => status);
}

export const onConnected = connectListeners.subscribe;
