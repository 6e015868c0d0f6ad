import type { Socket } from 'socket.io-client';

/**
 * Connects a socket, unless its connection has asked for that by itself, as it does for both namespaces once it is open again: one that is
 * asked for twice is there twice, and is told everything twice.
 */
export function connectOnce(socket: Pick<Socket, 'connected' | 'active' | 'connect' | 'io'>): void {
  const isAskedFor = socket.active && socket.io._readyState === 'open';
  if (!socket.connected && !isAskedFor) socket.connect();
}
