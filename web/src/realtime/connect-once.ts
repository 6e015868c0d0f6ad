import type { Socket } from 'socket.io-client';

/** Connects a socket unless the manager is already connecting it: a second connect would deliver every event twice. */
export function connectOnce(socket: Pick<Socket, 'connected' | 'active' | 'connect' | 'io'>): void {
  const isAskedFor = socket.active && socket.io._readyState === 'open';
  if (!socket.connected && !isAskedFor) socket.connect();
}
